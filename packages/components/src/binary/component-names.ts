import type { ComponentNames } from '../types.js';
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
  skipLeb32,
  take,
} from './reader.js';

const IMPORT_SECTION = 10;
const EXPORT_SECTION = 11;
const LAST_SECTION = 12;

/** Core sorts stand behind a zero byte; `value` imports carry a type, which the reader steps over. */
export function skipSortIndex(reader: BinaryReader): void {
  const sort = readByte(reader);
  if (sort > 0x05) throw new MalformedBinary(`unknown sort ${sort}`);
  if (sort === 0x00) readByte(reader);
  readU32(reader);
}

function skipExternDescription(reader: BinaryReader): void {
  const kind = readByte(reader);
  switch (kind) {
    case 0x00: // core module: the sort of the index comes first
      readByte(reader);
      readU32(reader);
      return;
    case 0x01:
    case 0x04:
    case 0x05:
      readU32(reader);
      return;
    case 0x02: // value: equal to another value, or of a type
      readByte(reader);
      skipLeb32(reader);
      return;
    case 0x03: // type: equal to another type, or a fresh resource
      if (readByte(reader) === 0x00) readU32(reader);
      return;
    default:
      throw new MalformedBinary(`unknown extern description ${kind}`);
  }
}

/** The two encodings of an extern name differ only in their first byte. */
export function readExternName(reader: BinaryReader): string {
  const form = readByte(reader);
  if (form > 0x01) throw new MalformedBinary(`unknown name form ${form}`);
  return readName(reader);
}

/** Reads the imports of one import section. */
export function readImports(body: BinaryReader): string[] {
  const names: string[] = [];
  for (let left = readCount(body); left > 0; left -= 1) {
    names.push(readExternName(body));
    skipExternDescription(body);
  }
  return names;
}

/** Reads the exports of one export section. */
export function readExports(body: BinaryReader): string[] {
  const names: string[] = [];
  for (let left = readCount(body); left > 0; left -= 1) {
    names.push(readExternName(body));
    skipSortIndex(body);
    if (readByte(body) !== 0x00) skipExternDescription(body);
  }
  return names;
}

const nothing = (kind: 'core' | 'unreadable'): ComponentNames => ({ kind, imports: [], exports: [] });

/**
 * Reads the names a component imports and exports at its top level, versions included, without instantiating or
 * compiling anything. Never throws: what cannot be read whole is `unreadable` and has no names.
 * Implements docs/spec/components.md, "Names".
 */
export function readNames(bytes: Uint8Array): ComponentNames {
  const reader = binaryReader(bytes);
  const kind = binaryKind(reader);
  if (kind !== 'component') return nothing(kind);
  const imports: string[] = [];
  const exports: string[] = [];
  try {
    take(reader, HEADER_BYTES);
    while (!atEnd(reader)) {
      const { id, body } = readSection(reader);
      if (id > LAST_SECTION) throw new MalformedBinary(`unknown section ${id}`);
      if (id === IMPORT_SECTION) for (const name of readImports(body)) imports.push(name);
      if (id === EXPORT_SECTION) for (const name of readExports(body)) exports.push(name);
      if ((id === IMPORT_SECTION || id === EXPORT_SECTION) && !atEnd(body)) {
        throw new MalformedBinary('bytes left over in a section');
      }
    }
  } catch (error) {
    if (error instanceof MalformedBinary) return nothing('unreadable');
    throw error;
  }
  return { kind, imports, exports };
}
