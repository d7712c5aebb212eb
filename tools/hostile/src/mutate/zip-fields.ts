import zlib from 'node:zlib';

/** A number of an archive that a reader relies on, by the name of what it says. */
export interface ZipField {
  readonly name: string;
  readonly bytes: 2 | 4 | 8;
  value: bigint;
}

/** A piece of an archive: a number that can lie, or bytes as they are. */
export type ZipPart = ZipField | { readonly name: string; bytes: Buffer };

/** A record of an archive: its parts in the order of the format. */
export interface ZipRecord {
  readonly name: 'local' | 'descriptor' | 'central' | 'end64' | 'locator64' | 'end';
  readonly parts: ZipPart[];
}

/** One file of an archive as it is honestly written. */
export interface ZipFile {
  readonly name: string;
  readonly content: Buffer;
  readonly deflated: boolean;
  /** Sizes behind the data, as a streaming writer puts them. */
  readonly descriptor: boolean;
  /** Sizes in the 64-bit extra field. */
  readonly zip64: boolean;
}

const field = (name: string, bytes: 2 | 4 | 8, value: number | bigint): ZipField => ({
  name,
  bytes,
  value: BigInt(value),
});
const raw = (name: string, bytes: Buffer): ZipPart => ({ name, bytes });

/** Whether a part is a number. */
export const isField = (part: ZipPart): part is ZipField => typeof part.bytes === 'number';

const sizeOf = (part: ZipPart): number => (isField(part) ? part.bytes : part.bytes.length);

/** Bytes a record takes. */
export const recordSize = (record: ZipRecord): number =>
  record.parts.reduce((sum, part) => sum + sizeOf(part), 0);

function written(part: ZipPart): Buffer {
  if (!isField(part)) return part.bytes;
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, part.value));
  return bytes.subarray(0, part.bytes);
}

/** The bytes of an archive. */
export function writeRecords(records: readonly ZipRecord[]): Buffer {
  return Buffer.concat(records.flatMap(({ parts }) => parts.map(written)));
}

const ALL_ONES_32 = 0xffffffff;

/** The 64-bit extra field, its own numbers open to lies too. */
function extra64(size: number, compressed: number, offset: number | null): ZipPart[] {
  return [
    field('extra64 id', 2, 1),
    field('extra64 length', 2, offset === null ? 16 : 24),
    field('extra64 size', 8, size),
    field('extra64 compressed size', 8, compressed),
    ...(offset === null ? [] : [field('extra64 offset', 8, offset)]),
  ];
}

/** An honest archive as records whose every number can be changed before it is written. */
export function honestRecords(
  files: readonly ZipFile[],
  options: { readonly zip64: boolean; readonly comment: Buffer },
): ZipRecord[] {
  const records: ZipRecord[] = [];
  const central: ZipRecord[] = [];
  let at = 0;
  const push = (record: ZipRecord): void => {
    records.push(record);
    at += recordSize(record);
  };
  for (const file of files) {
    const { name, content, deflated, descriptor, zip64 } = file;
    const offset = at;
    const data = deflated ? zlib.deflateRawSync(content) : content;
    const crc = zlib.crc32(content);
    const shown = (value: number): number => (zip64 ? ALL_ONES_32 : value);
    const localShown = (value: number): number => (descriptor ? 0 : shown(value));
    const localExtra = zip64 && !descriptor ? extra64(content.length, data.length, null) : [];
    const flags = 0x0800 | (descriptor ? 0x0008 : 0);
    push({
      name: 'local',
      parts: [
        field('signature', 4, 0x04034b50),
        field('version needed', 2, 20),
        field('flags', 2, flags),
        field('method', 2, deflated ? 8 : 0),
        field('time', 2, 0),
        field('date', 2, 0x21),
        field('crc', 4, descriptor ? 0 : crc),
        field('compressed size', 4, localShown(data.length)),
        field('size', 4, localShown(content.length)),
        field('name length', 2, Buffer.byteLength(name)),
        field('extra length', 2, localExtra.length === 0 ? 0 : 20),
        raw('name', Buffer.from(name)),
        ...localExtra,
        raw('data', data),
      ],
    });
    if (descriptor) {
      push({
        name: 'descriptor',
        parts: [
          field('signature', 4, 0x08074b50),
          field('crc', 4, crc),
          field('compressed size', zip64 ? 8 : 4, data.length),
          field('size', zip64 ? 8 : 4, content.length),
        ],
      });
    }
    const centralExtra = zip64 ? extra64(content.length, data.length, offset) : [];
    central.push({
      name: 'central',
      parts: [
        field('signature', 4, 0x02014b50),
        field('version made by', 2, 0x0314),
        field('version needed', 2, 20),
        field('flags', 2, flags),
        field('method', 2, deflated ? 8 : 0),
        field('time', 2, 0),
        field('date', 2, 0x21),
        field('crc', 4, crc),
        field('compressed size', 4, shown(data.length)),
        field('size', 4, shown(content.length)),
        field('name length', 2, Buffer.byteLength(name)),
        field('extra length', 2, zip64 ? 28 : 0),
        field('comment length', 2, 0),
        field('disk', 2, 0),
        field('internal attributes', 2, 0),
        field('external attributes', 4, (name.endsWith('/') ? 0o040755 : 0o100644) * 0x10000),
        field('offset', 4, shown(offset)),
        raw('name', Buffer.from(name)),
        ...centralExtra,
      ],
    });
  }
  const directoryStart = at;
  for (const record of central) push(record);
  const directorySize = at - directoryStart;
  const count = files.length;
  if (options.zip64) {
    const end64 = at;
    push({
      name: 'end64',
      parts: [
        field('signature', 4, 0x06064b50),
        field('record size', 8, 44),
        field('version made by', 2, 45),
        field('version needed', 2, 45),
        field('disk', 4, 0),
        field('directory disk', 4, 0),
        field('entries on disk', 8, count),
        field('entries', 8, count),
        field('directory size', 8, directorySize),
        field('directory offset', 8, directoryStart),
      ],
    });
    push({
      name: 'locator64',
      parts: [
        field('signature', 4, 0x07064b50),
        field('disk', 4, 0),
        field('end64 offset', 8, end64),
        field('disks', 4, 1),
      ],
    });
  }
  push({
    name: 'end',
    parts: [
      field('signature', 4, 0x06054b50),
      field('disk', 2, 0),
      field('directory disk', 2, 0),
      field('entries on disk', 2, options.zip64 ? 0xffff : count),
      field('entries', 2, options.zip64 ? 0xffff : count),
      field('directory size', 4, options.zip64 ? ALL_ONES_32 : directorySize),
      field('directory offset', 4, options.zip64 ? ALL_ONES_32 : directoryStart),
      field('comment length', 2, options.comment.length),
      raw('comment', options.comment),
    ],
  });
  return records;
}
