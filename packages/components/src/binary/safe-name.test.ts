import { describe, expect, it } from 'vitest';
import {
  component,
  componentLifting,
  list,
  moduleExporting,
  name,
  section,
} from '../../test/binary-builder.js';
import { readLinkingNames } from './linking-names.js';
import { firstUnsafeName } from './safe-name.js';

const INJECTION = "run'];globalThis.PWNED=1;//";

describe('firstUnsafeName', () => {
  it('lets printable ASCII pass except quotes, backquote and backslash', () => {
    const refused = [];
    for (let code = 0; code < 0x250; code += 1) {
      const character = String.fromCharCode(code);
      if (firstUnsafeName([`a${character}b`]) !== null && code >= 0x20 && code < 0x7f)
        refused.push(character);
      if (code < 0x20 || code >= 0x7f) expect(firstUnsafeName([character])).toBe(character);
    }
    expect(refused).toEqual(['"', "'", '\\', '`']);
  });

  it('is not fooled by line ends', () => {
    for (const end of ['\n', '\r', '\u2028', '\u2029'])
      expect(firstUnsafeName([`run${end}`])).toBe(`run${end}`);
  });
});

describe('readLinkingNames finds a hostile name wherever it links something', () => {
  it.each([
    ['core export', componentLifting(INJECTION)],
    ['core import module', component(section(1, [...importing(INJECTION, 'f')]))],
    ['core import field', component(section(1, [...importing('m', INJECTION)]))],
    ['core instance argument', component(section(2, list([[0x00, 0, 1, ...name(INJECTION), 0x12, 0]])))],
    ['core instance export', component(section(2, list([[0x01, 1, ...name(INJECTION), 0x00, 0]])))],
    ['instance argument', component(section(5, list([[0x00, 0, 1, ...name(INJECTION), 0x01, 0]])))],
    ['instance export', component(section(5, list([[0x01, 1, 0x00, ...name(INJECTION), 0x01, 0]])))],
    ['alias of an instance export', component(section(6, list([[0x01, 0x00, 0, ...name(INJECTION)]])))],
    ['alias of a core export', component(section(6, list([[0x00, 0x00, 0x01, 0, ...name(INJECTION)]])))],
    ['import', component(section(10, list([[0x00, ...name(INJECTION), 0x01, 0]])))],
    ['export', component(section(11, list([[0x00, ...name(INJECTION), 0x01, 0, 0x00]])))],
    ['nested component', component(section(4, [...component(section(4, [...componentLifting(INJECTION)]))]))],
  ])('%s', (_, bytes) => {
    expect(firstUnsafeName(readLinkingNames(bytes))).toBe(INJECTION);
  });

  it('refuses nesting without an end', () => {
    let bytes = componentLifting('run');
    for (let depth = 0; depth < 70; depth += 1) bytes = component(section(4, [...bytes]));
    expect(() => readLinkingNames(bytes)).toThrow('nested too deeply');
  });

  it('finds nothing in an ordinary component', () => {
    expect(firstUnsafeName(readLinkingNames(componentLifting('murmur:a/b@0.1.0#run')))).toBeNull();
    expect(readLinkingNames(component(section(1, [...moduleExporting('f')])))).toEqual(['f']);
  });
});

function importing(module: string, field: string): Uint8Array {
  const bytes = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  const types = section(1, list([[0x60, 0, 0]]));
  return Uint8Array.from([
    ...bytes,
    ...types,
    ...section(2, list([[...name(module), ...name(field), 0x00, 0]])),
  ]);
}
