import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SHAPES } from './generated/contract.js';
import { conform, ShapeMismatch } from './shape.js';

test('a fitting event comes back clean: known members only, options as undefined, numbers in range', () => {
  expect(
    conform({ ref: 'event' }, { tag: 'usage', val: { input: 5, output: null, extra: 1 }, more: 2 }),
  ).toEqual({
    tag: 'usage',
    val: { input: 5, output: undefined, cacheRead: undefined, cacheCreation: undefined, thinking: undefined },
  });
  expect(conform('u64', 1e300)).toBe(Number.MAX_SAFE_INTEGER);
  expect(conform('u64', 12n)).toBe(12);
  expect(conform('u32', 2 ** 40)).toBe(0xffffffff);
  expect(conform('u64', 1.9)).toBe(1);
  expect(conform('string', 'a\ud800')).toBe('a\ufffd');
  expect(conform({ ref: 'login-state' }, { tag: 'logged-in', val: 'x' })).toEqual({ tag: 'logged-in' });
});

test('a mismatch says where', () => {
  const where = (shape: Parameters<typeof conform>[0], value: unknown) => {
    try {
      conform(shape, value);
    } catch (error) {
      return error instanceof ShapeMismatch ? error.path : 'another error';
    }
    return 'no error';
  };
  expect(where({ ref: 'event' }, { tag: 'tool-result', val: { id: 'a', output: 1, isError: false } })).toBe(
    'tool-result.output',
  );
  expect(where({ ref: 'event' }, { tag: 'turn-failed', val: { kind: 'bad', message: '' } })).toBe(
    'turn-failed.kind',
  );
  expect(where({ ref: 'event' }, { tag: 'constructor', val: '' })).toBe('tag');
  expect(where({ ref: 'event' }, { tag: '__proto__', val: '' })).toBe('tag');
  expect(where({ ref: 'launch-plan' }, { args: ['a', 2], envSet: [], files: [], keepStdinOpen: false })).toBe(
    'args.1',
  );
  expect(where({ ref: 'launch-plan' }, { args: [], envSet: [['A']], files: [], keepStdinOpen: false })).toBe(
    'envSet.0',
  );
  expect(where('u64', -1)).toBe('');
  expect(where('u64', Number.NaN)).toBe('');
});

test('any value either conforms or is a ShapeMismatch, for every type of the contract', () => {
  const anything = fc.anything({
    withBigInt: true,
    withNullPrototype: true,
    withTypedArray: true,
    withSparseArray: true,
  });
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(SHAPES)), anything, (name, value) => {
      try {
        conform({ ref: name }, value);
      } catch (error) {
        expect(error).toBeInstanceOf(ShapeMismatch);
      }
    }),
    { numRuns: 2000 },
  );
});
