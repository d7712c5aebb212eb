import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coreModule, list, name, section, unsigned } from '../../test/binary-builder.js';
import { CapExceeded, type CoreCaps, capCoreModule, readCoreNames } from './core-module.js';
import { MalformedBinary } from './reader.js';

const caps: CoreCaps = { memoryPages: 16, tableElements: 100 };
const exportFirst = (kind: number) => section(7, list([[...name('it'), kind, 0]]));
const memoryModule = (...limits: number[]) => coreModule(section(5, list([limits])), exportFirst(0x02));
const tableModule = (...limits: number[]) =>
  coreModule(section(4, list([[0x70, ...limits]])), exportFirst(0x01));

interface Growable {
  grow(delta: number): number;
}

interface Engine {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: Record<string, Growable> };
}

const engine = (globalThis as unknown as { WebAssembly: Engine }).WebAssembly;

/** How far the exported memory or table grows in the real engine. */
function growsTo(bytes: Uint8Array, from: number, wanted: number): boolean {
  const exported = new engine.Instance(new engine.Module(bytes)).exports.it;
  try {
    return exported?.grow(wanted - from) === from;
  } catch {
    return false;
  }
}

describe('capCoreModule', () => {
  it('gives a memory without a maximum the cap', () => {
    const capped = capCoreModule(memoryModule(0, 1), caps);
    expect(growsTo(memoryModule(0, 1), 1, 17)).toBe(true);
    expect(growsTo(capped, 1, 16)).toBe(true);
    expect(growsTo(capped, 1, 17)).toBe(false);
  });

  it('lowers a maximum above the cap and keeps one below', () => {
    expect(growsTo(capCoreModule(memoryModule(1, 1, ...unsigned(60_000)), caps), 1, 17)).toBe(false);
    expect(growsTo(capCoreModule(memoryModule(1, 1, 3), caps), 1, 3)).toBe(true);
    expect(growsTo(capCoreModule(memoryModule(1, 1, 3), caps), 1, 4)).toBe(false);
  });

  it('caps tables likewise', () => {
    expect(growsTo(tableModule(0, 1), 1, 101)).toBe(true);
    expect(growsTo(capCoreModule(tableModule(0, 1), caps), 1, 100)).toBe(true);
    expect(growsTo(capCoreModule(tableModule(0, 1), caps), 1, 101)).toBe(false);
  });

  it('caps each of several tables', () => {
    const two = coreModule(
      section(
        4,
        list([
          [0x70, 0, 1],
          [0x6f, 0, 1],
        ]),
      ),
      section(7, list([[...name('it'), 0x01, 1]])),
    );
    expect(growsTo(two, 1, 101)).toBe(true);
    expect(growsTo(capCoreModule(two, caps), 1, 101)).toBe(false);
  });

  it.each([
    ['a memory that starts above the cap', memoryModule(0, 17)],
    ['a table that starts above the cap', tableModule(0, ...unsigned(101))],
    ['a shared memory', memoryModule(3, 1, 2)],
    ['a 64-bit memory', memoryModule(4, 1)],
    ['a memory with a page size of its own', memoryModule(8, 1, 0)],
    ['a 64-bit table', tableModule(4, 1)],
    ['a table of an unknown element type', coreModule(section(4, list([[0x63, 0x00, 0, 1]])))],
    [
      'a table with an initializer',
      coreModule(section(4, list([[0x40, 0x00, 0x70, 0, 1, 0xd0, 0x70, 0x0b]]))),
    ],
  ])('refuses %s', (_, bytes) => {
    expect(() => capCoreModule(bytes, caps)).toThrow(CapExceeded);
  });

  it('leaves imported memories to the module that defines them', () => {
    const importing = coreModule(
      section(2, list([[...name('m'), ...name('memory'), 0x02, 0, ...unsigned(500)]])),
    );
    expect(capCoreModule(importing, caps)).toEqual(importing);
    expect(readCoreNames(importing)).toEqual(['m', 'memory']);
  });

  it('copies everything else byte for byte', () => {
    const custom = section(0, [...name('producers'), 1, 2, 3]);
    const before = coreModule(custom, section(5, list([[1, 1, 3]])), exportFirst(0x02));
    expect(capCoreModule(before, caps)).toEqual(before);
  });

  it('ends with a result or a refusal for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(2, 4, 5, 7), (content, id) => {
        const bytes = coreModule(section(id, [...content]));
        for (const read of [() => readCoreNames(bytes), () => capCoreModule(bytes, caps)]) {
          try {
            read();
          } catch (error) {
            if (!(error instanceof MalformedBinary) && !(error instanceof CapExceeded)) throw error;
          }
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
