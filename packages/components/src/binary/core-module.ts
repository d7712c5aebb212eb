import {
  atEnd,
  type BinaryReader,
  binaryKind,
  binaryReader,
  HEADER_BYTES,
  MalformedBinary,
  readByte,
  readCount,
  readName,
  readSection,
  readU32,
  readU64,
  take,
} from './reader.js';

const IMPORT_SECTION = 2;
const TABLE_SECTION = 4;
const MEMORY_SECTION = 5;
const EXPORT_SECTION = 7;

export interface CoreCaps {
  /** Cap on the maximum of each memory the module defines, in pages of 64 KiB. */
  readonly memoryPages: number;
  /** Cap on the maximum of each table the module defines. */
  readonly tableElements: number;
}

/** A module that asks for more than its caps, or for a memory or table of a kind that cannot be capped. */
export class CapExceeded extends Error {
  override readonly name = 'CapExceeded';
}

function openModule(bytes: Uint8Array): BinaryReader {
  const reader = binaryReader(bytes);
  if (binaryKind(reader) !== 'core') throw new MalformedBinary('not a core module');
  take(reader, HEADER_BYTES);
  return reader;
}

function skipReferenceType(reader: BinaryReader): void {
  const type = readByte(reader);
  if (type === 0x70 || type === 0x6f) return;
  throw new CapExceeded(`a table has element type 0x${type.toString(16)}, which is not supported`);
}

interface SizeLimits {
  readonly flags: number;
  readonly minimum: bigint;
  readonly maximum: bigint | null;
}

function readSizeLimits(reader: BinaryReader): SizeLimits {
  const flags = readByte(reader);
  const minimum = readU64(reader);
  return { flags, minimum, maximum: (flags & 1) === 1 ? readU64(reader) : null };
}

function skipImportDescription(reader: BinaryReader): void {
  const kind = readByte(reader);
  switch (kind) {
    case 0x00:
      readU32(reader);
      return;
    case 0x01:
      skipReferenceType(reader);
      readSizeLimits(reader);
      return;
    case 0x02:
      readSizeLimits(reader);
      return;
    case 0x03: {
      const type = readByte(reader);
      const plain = (type >= 0x7b && type <= 0x7f) || type === 0x70 || type === 0x6f;
      if (!plain) throw new MalformedBinary(`global of unknown type ${type}`);
      readByte(reader);
      return;
    }
    case 0x04:
      readByte(reader);
      readU32(reader);
      return;
    default:
      throw new MalformedBinary(`unknown import kind ${kind}`);
  }
}

/**
 * The import and export names of a core module, module names of imports included.
 *
 * @throws MalformedBinary | CapExceeded
 */
export function readCoreNames(bytes: Uint8Array): string[] {
  const names: string[] = [];
  const reader = openModule(bytes);
  while (!atEnd(reader)) {
    const { id, body } = readSection(reader);
    if (id !== IMPORT_SECTION && id !== EXPORT_SECTION) continue;
    for (let left = readCount(body); left > 0; left -= 1) {
      names.push(readName(body));
      if (id === IMPORT_SECTION) {
        names.push(readName(body));
        skipImportDescription(body);
      } else {
        readByte(body);
        readU32(body);
      }
    }
    if (!atEnd(body)) throw new MalformedBinary('bytes left over in a section');
  }
  return names;
}

function encodeUnsigned(value: bigint, out: number[]): void {
  let rest = value;
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    out.push(rest === 0n ? low : low | 0x80);
  } while (rest !== 0n);
}

function capOne(what: string, limits: SizeLimits, cap: number, out: number[]): void {
  // Bit 1 is a shared memory, bit 2 a 64-bit index, bit 3 a page size of its own: each defeats the cap.
  if ((limits.flags & ~1) !== 0)
    throw new CapExceeded(`a ${what} has flags ${limits.flags}, which are not supported`);
  const limit = BigInt(cap);
  if (limits.minimum > limit) {
    throw new CapExceeded(`a ${what} starts at ${limits.minimum}, above the cap of ${cap}`);
  }
  const maximum = limits.maximum !== null && limits.maximum < limit ? limits.maximum : limit;
  out.push(1);
  encodeUnsigned(limits.minimum, out);
  encodeUnsigned(maximum, out);
}

function rewriteSection(id: number, body: BinaryReader, caps: CoreCaps): Uint8Array {
  const content: number[] = [];
  const count = readCount(body);
  encodeUnsigned(BigInt(count), content);
  for (let left = count; left > 0; left -= 1) {
    if (id === TABLE_SECTION) {
      const type = body.bytes[body.position] ?? 0;
      skipReferenceType(body);
      content.push(type);
      capOne('table', readSizeLimits(body), caps.tableElements, content);
    } else {
      capOne('memory', readSizeLimits(body), caps.memoryPages, content);
    }
  }
  if (!atEnd(body)) throw new MalformedBinary('bytes left over in a section');
  const head = [id];
  encodeUnsigned(BigInt(content.length), head);
  return Uint8Array.from([...head, ...content]);
}

/**
 * The module with the maximum of each memory and table it defines lowered to its cap. Imported ones belong to the
 * module that defines them and stay as they are.
 *
 * @throws MalformedBinary | CapExceeded
 */
export function capCoreModule(bytes: Uint8Array, caps: CoreCaps): Uint8Array {
  const reader = openModule(bytes);
  const parts: Uint8Array[] = [bytes.subarray(0, HEADER_BYTES)];
  while (!atEnd(reader)) {
    const { id, start, body } = readSection(reader);
    const sized = id === TABLE_SECTION || id === MEMORY_SECTION;
    parts.push(sized ? rewriteSection(id, body, caps) : bytes.subarray(start, body.end));
  }
  return new Uint8Array(Buffer.concat(parts));
}
