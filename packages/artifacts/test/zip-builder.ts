import zlib from 'node:zlib';

/** One entry of a hand-built archive; every field can be made to lie. */
export interface BuiltEntry {
  name: string | Buffer;
  content?: string | Buffer;
  method?: number;
  flags?: number;
  mode?: number;
  externalAttributes?: number;
  crc?: number;
  /** Sizes written to the headers instead of the true ones. */
  declaredSize?: number;
  declaredCompressedSize?: number;
  extra?: Buffer;
  /** Fields of the local header that differ from the central one. */
  local?: { name?: string | Buffer; crc?: number; size?: number; method?: number; flags?: number };
  /** Bytes put in front of the local header. */
  before?: Buffer;
  /** Local header offset written to the directory instead of the true one. */
  offset?: number;
  /** Write the data's sizes behind it, as a streaming writer does. */
  descriptor?: boolean;
  /** Data used as it is instead of the compressed content. */
  rawData?: Buffer;
}

export interface BuiltArchive {
  entries: BuiltEntry[];
  comment?: Buffer;
  beforeDirectory?: Buffer;
  afterDirectory?: Buffer;
  after?: Buffer;
  entryCount?: number;
  zip64?: boolean;
}

const u16 = (value: number) => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
};
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};
const u64 = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};

/** Builds zip bytes by hand. */
export function buildZip(archive: BuiltArchive | BuiltEntry[]): Buffer {
  const { entries, ...rest } = Array.isArray(archive) ? { entries: archive } : archive;
  const options: Omit<BuiltArchive, 'entries'> = rest;
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  const push = (...bytes: Buffer[]) => {
    for (const part of bytes) {
      parts.push(part);
      at += part.length;
    }
  };
  for (const entry of entries) {
    push(entry.before ?? Buffer.alloc(0));
    const offset = at;
    const name = Buffer.from(entry.name);
    const content = Buffer.from(entry.content ?? '');
    const method = entry.method ?? 8;
    const flags = (entry.flags ?? 0x0800) | (entry.descriptor ? 0x0008 : 0);
    const data = entry.rawData ?? (method === 8 ? zlib.deflateRawSync(content) : content);
    const crc = entry.crc ?? zlib.crc32(content);
    const size = entry.declaredSize ?? content.length;
    const compressed = entry.declaredCompressedSize ?? data.length;
    const extra = entry.extra ?? Buffer.alloc(0);
    const external = entry.externalAttributes ?? ((entry.mode ?? 0o100644) << 16) >>> 0;
    const local = entry.local ?? {};
    const localName = Buffer.from(local.name ?? name);
    const unknown = entry.descriptor ? 0 : null;
    push(
      u32(0x04034b50),
      u16(20),
      u16(local.flags ?? flags),
      u16(local.method ?? method),
      u16(0),
      u16(0x21),
      u32(local.crc ?? unknown ?? crc),
      u32(unknown ?? compressed),
      u32(local.size ?? unknown ?? size),
      u16(localName.length),
      u16(extra.length),
      localName,
      extra,
      data,
    );
    if (entry.descriptor) push(u32(0x08074b50), u32(crc), u32(compressed), u32(size));
    directory.push(
      u32(0x02014b50),
      u16(0x0314),
      u16(20),
      u16(flags),
      u16(method),
      u16(0),
      u16(0x21),
      u32(crc),
      u32(compressed),
      u32(size),
      u16(name.length),
      u16(extra.length),
      u16(0),
      u16(0),
      u16(0),
      u32(external),
      u32(entry.offset ?? offset),
      name,
      extra,
    );
  }
  push(options.beforeDirectory ?? Buffer.alloc(0));
  const directoryStart = at;
  for (const record of directory) push(record);
  const directorySize = at - directoryStart;
  push(options.afterDirectory ?? Buffer.alloc(0));
  const count = options.entryCount ?? entries.length;
  if (options.zip64) {
    const recordStart = at;
    push(u32(0x06064b50), u64(44), u16(45), u16(45), u32(0), u32(0), u64(count), u64(count));
    push(u64(directorySize), u64(directoryStart));
    push(u32(0x07064b50), u32(0), u64(recordStart), u32(1));
  }
  const comment = options.comment ?? Buffer.alloc(0);
  push(
    u32(0x06054b50),
    u16(0),
    u16(0),
    u16(options.zip64 ? 0xffff : count),
    u16(options.zip64 ? 0xffff : count),
    u32(options.zip64 ? 0xffffffff : directorySize),
    u32(options.zip64 ? 0xffffffff : directoryStart),
    u16(comment.length),
    comment,
  );
  push(options.after ?? Buffer.alloc(0));
  return Buffer.concat(parts);
}
