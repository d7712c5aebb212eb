import { readExports, readExternName, readImports, skipSortIndex } from './component-names.js';
import { readCoreNames } from './core-module.js';
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
  take,
} from './reader.js';

const MAX_NESTING = 64;
const MAX_NAMES = 1_000_000;

function coreInstanceNames(body: BinaryReader): string[] {
  const names: string[] = [];
  for (let left = readCount(body); left > 0; left -= 1) {
    const form = readByte(body);
    if (form > 0x01) throw new MalformedBinary(`unknown core instance form ${form}`);
    if (form === 0x00) readU32(body);
    for (let inner = readCount(body); inner > 0; inner -= 1) {
      names.push(readName(body));
      readByte(body);
      readU32(body);
    }
  }
  return names;
}

function instanceNames(body: BinaryReader): string[] {
  const names: string[] = [];
  for (let left = readCount(body); left > 0; left -= 1) {
    const form = readByte(body);
    if (form > 0x01) throw new MalformedBinary(`unknown instance form ${form}`);
    if (form === 0x00) readU32(body);
    for (let inner = readCount(body); inner > 0; inner -= 1) {
      // An argument has a plain name, an inline export an extern name.
      names.push(form === 0x00 ? readName(body) : readExternName(body));
      skipSortIndex(body);
    }
  }
  return names;
}

function aliasNames(body: BinaryReader): string[] {
  const names: string[] = [];
  for (let left = readCount(body); left > 0; left -= 1) {
    if (readByte(body) === 0x00) readByte(body);
    const target = readByte(body);
    if (target > 0x02) throw new MalformedBinary(`unknown alias target ${target}`);
    readU32(body);
    if (target === 0x02) readU32(body);
    else names.push(readName(body));
  }
  return names;
}

function walk(reader: BinaryReader, depth: number, names: string[]): void {
  if (depth > MAX_NESTING) throw new MalformedBinary('components nested too deeply');
  if (binaryKind(reader) !== 'component') throw new MalformedBinary('a nested component has no header');
  take(reader, HEADER_BYTES);
  while (!atEnd(reader)) {
    const { id, body } = readSection(reader);
    if (names.length > MAX_NAMES) throw new MalformedBinary('too many names');
    switch (id) {
      case 1:
        for (const name of readCoreNames(reader.bytes.subarray(body.position, body.end))) names.push(name);
        break;
      case 2:
        for (const name of coreInstanceNames(body)) names.push(name);
        break;
      case 4:
        walk(body, depth + 1, names);
        break;
      case 5:
        for (const name of instanceNames(body)) names.push(name);
        break;
      case 6:
        for (const name of aliasNames(body)) names.push(name);
        break;
      case 10:
        for (const name of readImports(body)) names.push(name);
        break;
      case 11:
        for (const name of readExports(body)) names.push(name);
        break;
      default: // types, canonical functions, start, values, custom: no name of theirs links anything
        break;
    }
  }
}

/**
 * Every name by which anything inside a component is linked: imports, exports, aliases and arguments of the
 * component, of each nested one and of each core module. The transpiler pastes some of them into JavaScript.
 *
 * @throws MalformedBinary
 */
export function readLinkingNames(bytes: Uint8Array): string[] {
  const names: string[] = [];
  walk(binaryReader(bytes), 0, names);
  return names;
}
