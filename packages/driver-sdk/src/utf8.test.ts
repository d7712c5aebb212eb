import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeUtf8, encodeUtf8, utf8LengthBytes } from './utf8.js';

const anyUnits = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
  maxLength: 40,
});
/** Bytes around the borders of UTF-8's forms are where a decoder goes wrong. */
const edgeByte = fc.constantFrom(
  0x00,
  0x41,
  0x7f,
  0x80,
  0x8f,
  0x90,
  0x9f,
  0xa0,
  0xbf,
  0xc0,
  0xc1,
  0xc2,
  0xdf,
  0xe0,
  0xed,
  0xef,
  0xf0,
  0xf4,
  0xf5,
  0xff,
);

test('encoding agrees with the platform, lone surrogates included', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), anyUnits), (text) => {
      const expected = new TextEncoder().encode(text);
      expect(encodeUtf8(text)).toEqual(expected);
      expect(utf8LengthBytes(text)).toBe(expected.length);
    }),
  );
});

test('decoding agrees with the platform on any bytes', () => {
  const platform = new TextDecoder('utf-8', { ignoreBOM: true });
  fc.assert(
    fc.property(
      fc.oneof(fc.array(edgeByte, { maxLength: 12 }), fc.array(fc.nat(255), { maxLength: 40 })),
      (bytes) => {
        expect(decodeUtf8(Uint8Array.from(bytes))).toBe(platform.decode(Uint8Array.from(bytes)));
      },
    ),
    { numRuns: 2000 },
  );
});
