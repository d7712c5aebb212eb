import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeValue, encodeValue, UnfitValue } from './values.js';

const cross = (value: unknown) => decodeValue(Buffer.from(encodeValue(value)));

const leaf = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.boolean(),
  fc.double(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
  fc.uint8Array(),
  fc.float64Array(),
  fc.uint32Array(),
  fc.constant(null),
);
const fieldName = fc.stringMatching(/^[a-z][A-Za-z0-9]{0,8}$/);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('any'), { maxLength: 5 }),
    fc.dictionary(fieldName, tie('any'), { maxKeys: 5, noNullPrototype: true }),
  ),
})).any;

describe('values across the pipe', () => {
  it('arrive as they left', () => {
    fc.assert(
      fc.property(value, (sent) => {
        expect(cross(sent)).toEqual(sent);
      }),
      { numRuns: 1_000 },
    );
  });

  it('keep undefined where it has a place and drop absent fields', () => {
    expect(cross([1, undefined, 2])).toEqual([1, undefined, 2]);
    expect(cross(undefined)).toBeUndefined();
    expect(Object.keys(cross({ a: undefined, b: 1 }) as object)).toEqual(['b']);
  });

  it.each([
    ['a function', () => {}],
    ['a symbol', Symbol('x')],
    ['a field that looks like a tag', { $: 'bigint', v: '1' }],
    ['a buffer of unknown kind', new DataView(new ArrayBuffer(1))],
  ])('refuse %s on the way out', (_, sent) => {
    expect(() => encodeValue(sent)).toThrow(UnfitValue);
  });

  it.each([
    ['no JSON', '{'],
    ['an unknown tag', '{"$":"Map","v":""}'],
    ['a tag of another type', '{"$":1,"v":""}'],
    ['an inherited name as a tag', '{"$":"toString","v":""}'],
    ['an integer that takes quadratic time', `{"$":"bigint","v":"${'9'.repeat(1_000_000)}"}`],
    ['an integer in another base', '{"$":"bigint","v":"0x10"}'],
    ['a cut typed array', '{"$":"Uint32Array","v":"AAAA"}'],
    ['a prototype', '{"__proto__":{"a":1}}'],
    ['a deep value', `${'['.repeat(200)}${']'.repeat(200)}`],
    ['a very deep value', `${'['.repeat(900_000)}${']'.repeat(900_000)}`],
    ['a bomb of arrays', `[${'[],'.repeat(2_000_000)}[]]`],
    ['a bomb of objects', `[${'{},'.repeat(2_000_000)}{}]`],
    ['a bomb behind a string with an escaped quote', `["\\"",${'[],'.repeat(2_000_000)}[]]`],
  ])('refuse %s on the way in', (_, text) => {
    expect(() => decodeValue(Buffer.from(text))).toThrow(UnfitValue);
  });

  it('take a large text full of commas and brackets', () => {
    const text = '[{,"\\'.repeat(1_000_000);
    expect(cross([text])).toEqual([text]);
  });

  it('take no harm from any bytes', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.json().map((text) => new TextEncoder().encode(text)),
        ),
        (bytes) => {
          try {
            decodeValue(bytes);
          } catch (error) {
            if (!(error instanceof UnfitValue)) throw error;
          }
        },
      ),
      { numRuns: 2_000 },
    );
    expect(({} as Record<string, unknown>).a).toBeUndefined();
  });
});
