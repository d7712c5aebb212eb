/** A binary that ends early or states a length, count or form that cannot be. */
export class MalformedBinary extends Error {
  override readonly name = 'MalformedBinary';
}

/**
 * Reads a WebAssembly binary front to back within `[position, end)`. Each length is compared with what is left
 * before it is used, so a stated size of 4 GiB costs nothing.
 */
export interface BinaryReader {
  position: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}

export function binaryReader(bytes: Uint8Array, start = 0, end = bytes.length): BinaryReader {
  return { bytes, position: start, end };
}

export function atEnd(reader: BinaryReader): boolean {
  return reader.position >= reader.end;
}

export function readByte(reader: BinaryReader): number {
  const byte = reader.position < reader.end ? reader.bytes[reader.position] : undefined;
  if (byte === undefined) throw new MalformedBinary('unexpected end');
  reader.position += 1;
  return byte;
}

/** Unsigned LEB128 of at most `bits` bits; longer encodings are refused as engines refuse them. */
function readUnsigned(reader: BinaryReader, bits: number): bigint {
  let value = 0n;
  for (let shift = 0; shift < bits; shift += 7) {
    const byte = readByte(reader);
    value |= BigInt(byte & 0x7f) << BigInt(shift);
    if ((byte & 0x80) === 0) {
      if (value >> BigInt(bits) !== 0n) break;
      return value;
    }
  }
  throw new MalformedBinary(`integer wider than ${bits} bits`);
}

export function readU32(reader: BinaryReader): number {
  return Number(readUnsigned(reader, 32));
}

export function readU64(reader: BinaryReader): bigint {
  return readUnsigned(reader, 64);
}

/** Skips one LEB128 integer, signed or not, of at most five bytes. */
export function skipLeb32(reader: BinaryReader): void {
  for (let count = 0; count < 5; count += 1) if ((readByte(reader) & 0x80) === 0) return;
  throw new MalformedBinary('integer wider than 32 bits');
}

/** More entries than any engine accepts in one section; a list of them must not cost memory first. */
const MAX_COUNT = 100_000;

/** A count of things that take at least one byte each. */
export function readCount(reader: BinaryReader): number {
  const count = readU32(reader);
  if (count > MAX_COUNT) throw new MalformedBinary(`count ${count} is above ${MAX_COUNT}`);
  if (count > reader.end - reader.position) throw new MalformedBinary(`count ${count} exceeds what is left`);
  return count;
}

/** Takes the next `length` bytes as a reader of their own and moves past them. */
export function take(reader: BinaryReader, length: number): BinaryReader {
  if (length > reader.end - reader.position)
    throw new MalformedBinary(`length ${length} exceeds what is left`);
  const inner = binaryReader(reader.bytes, reader.position, reader.position + length);
  reader.position += length;
  return inner;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function readName(reader: BinaryReader): string {
  const inner = take(reader, readU32(reader));
  try {
    return utf8.decode(reader.bytes.subarray(inner.position, inner.end));
  } catch {
    throw new MalformedBinary('a name is not UTF-8');
  }
}

/** One section: its id, its body, and where it starts (id byte included) so that it can be copied whole. */
export interface Section {
  readonly id: number;
  readonly start: number;
  readonly body: BinaryReader;
}

export function readSection(reader: BinaryReader): Section {
  const start = reader.position;
  const id = readByte(reader);
  return { id, start, body: take(reader, readU32(reader)) };
}

/** What the first eight bytes say: `\0asm`, then version and layer. */
export function binaryKind(reader: BinaryReader): 'component' | 'core' | 'unreadable' {
  const at = (offset: number) => reader.bytes[reader.position + offset];
  if (reader.end - reader.position < 8) return 'unreadable';
  if (at(0) !== 0x00 || at(1) !== 0x61 || at(2) !== 0x73 || at(3) !== 0x6d) return 'unreadable';
  if (at(4) === 0x01 && at(5) === 0 && at(6) === 0 && at(7) === 0) return 'core';
  if (at(4) === 0x0d && at(5) === 0 && at(6) === 0x01 && at(7) === 0) return 'component';
  return 'unreadable';
}

export const HEADER_BYTES = 8;
