import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { component, coreModule, list, name, section, unsigned } from '../../test/binary-builder.js';
import { buildGuest, PROCESS } from '../../test/guests.js';
import { readNames } from './component-names.js';
import { CapExceeded } from './core-module.js';
import { readLinkingNames } from './linking-names.js';
import { MalformedBinary } from './reader.js';

const importOf = (text: string) => [0x00, ...name(text), 0x05, 0];
const exportOf = (text: string) => [0x00, ...name(text), 0x05, 0, 0x00];
const unreadable = { kind: 'unreadable', imports: [], exports: [] };

describe('readNames', () => {
  it('reads imports and exports of the top level with their versions, in order', () => {
    const bytes = component(
      section(10, list([importOf('wasi:io/streams@0.2.6'), importOf('plain')])),
      section(11, list([exportOf('murmur:driver/process@0.5.0'), exportOf(PROCESS)])),
      section(10, list([importOf('late')])),
    );
    expect(readNames(bytes)).toEqual({
      kind: 'component',
      imports: ['wasi:io/streams@0.2.6', 'plain', 'late'],
      exports: ['murmur:driver/process@0.5.0', PROCESS],
    });
  });

  it('steps over every kind of extern description', () => {
    const kinds = [
      [0x00, 0x11, 0],
      [0x01, 0],
      [0x02, 0x00, 0],
      [0x02, 0x01, 0x7f],
      [0x03, 0x00, 0],
      [0x03, 0x01],
      [0x04, 0],
      [0x05, 0],
    ];
    const imports = kinds.map((kind, index) => [0x01, ...name(`i${index}`), ...kind]);
    const exports = kinds.map((kind, index) => [0x01, ...name(`e${index}`), 0x00, 0x11, 0, 0x01, ...kind]);
    const names = readNames(component(section(10, list(imports)), section(11, list(exports))));
    expect(names.imports).toEqual(kinds.map((_, index) => `i${index}`));
    expect(names.exports).toEqual(kinds.map((_, index) => `e${index}`));
  });

  it('skips nested components', () => {
    const inner = component(section(11, list([exportOf(PROCESS)])));
    expect(readNames(component(section(4, [...inner])))).toEqual({
      kind: 'component',
      imports: [],
      exports: [],
    });
  });

  it('knows a core module', () => {
    expect(readNames(coreModule(section(7, list([[...name(PROCESS), 0, 0]])))).kind).toBe('core');
  });

  it.each([
    ['nothing', new Uint8Array()],
    ['text', new TextEncoder().encode('(component (export "murmur:driver/process@0.6.0" (instance 0)))')],
    ['a cut header', component().subarray(0, 7)],
    ['an unknown layer', Uint8Array.from([0, 0x61, 0x73, 0x6d, 0x0d, 0, 2, 0])],
    ['a section longer than the file', Uint8Array.from([...component(), 10, ...unsigned(0xffffffff)])],
    ['an unknown section', component(section(13, []))],
    ['a name longer than its section', component(section(10, [1, 0x00, ...unsigned(0xfffffff0), 0x61]))],
    ['a count above what is left', component(section(11, [...unsigned(0xffffffff), 0x00]))],
    [
      'a count that costs memory',
      component(section(11, [...unsigned(200_000), ...new Array(700_000).fill(0)])),
    ],
    ['a name that is not UTF-8', component(section(10, [1, 0x00, 1, 0xff, 0x05, 0]))],
    ['an unknown name form', component(section(10, list([[0x07, ...name('a'), 0x05, 0]])))],
    ['an unknown extern kind', component(section(10, list([[0x00, ...name('a'), 0x09, 0]])))],
    ['an integer without an end', Uint8Array.from([...component(), 10, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00])],
    ['bytes left over', component(section(10, [...list([importOf('a')]), 0]))],
  ])('takes no name from %s', (_, bytes) => {
    expect(readNames(bytes)).toEqual(unreadable);
  });
});

describe('a real component, mutated', () => {
  let real: Uint8Array;
  beforeAll(async () => {
    real = await buildGuest({ wasi: true });
  });

  it('reads whole', () => {
    const names = readNames(real);
    expect(names.kind).toBe('component');
    expect(names.exports).toContain(PROCESS);
    expect(names.imports).toContain('wasi:cli/environment@0.2.12');
    expect(readLinkingNames(real)).toContain('murmur:driver/process@0.6.0#parse');
  });

  it('never makes a reader throw anything else or run on', () => {
    const structural = real.length;
    const position = fc.oneof(fc.nat(2_000), fc.nat(structural - 1));
    const edit = fc.record({ at: position, byte: fc.nat(255) });
    const mutation = fc.record({
      edits: fc.array(edit, { minLength: 1, maxLength: 6 }),
      cut: fc.option(fc.nat(structural)),
    });
    fc.assert(
      fc.property(mutation, ({ edits, cut }) => {
        const bytes = real.slice(0, cut ?? structural);
        for (const { at, byte } of edits) if (at < bytes.length) bytes[at] = byte;
        expect(['component', 'core', 'unreadable']).toContain(readNames(bytes).kind);
        try {
          readLinkingNames(bytes);
        } catch (error) {
          if (!(error instanceof MalformedBinary) && !(error instanceof CapExceeded)) throw error;
        }
      }),
      { numRuns: 1_500 },
    );
  });

  it('survives arbitrary bytes behind a valid header', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (tail) => {
        const bytes = Uint8Array.from([...component(), ...tail]);
        expect(['component', 'unreadable']).toContain(readNames(bytes).kind);
      }),
      { numRuns: 3_000 },
    );
  });
});
