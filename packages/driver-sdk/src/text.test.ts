import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutText, wellFormed } from './text.js';

const anyUnits = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
  maxLength: 40,
});

test('wellFormed replaces lone surrogates and nothing else', () => {
  expect(wellFormed('a\ud800b\udc00c\ud83d\ude00')).toBe('a\ufffdb\ufffdc\ud83d\ude00');
  fc.assert(
    fc.property(anyUnits, (text) => {
      expect(wellFormed(text)).toBe(Buffer.from(text, 'utf8').toString('utf8'));
    }),
  );
});

test('cutText never ends inside a surrogate pair and keeps what fits', () => {
  expect(cutText('abc', 3)).toBe('abc');
  expect(cutText('ab\ud83d\ude00', 3)).toBe('ab…');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (text, length) => {
      const cut = cutText(text, length);
      expect(cut.length).toBeLessThanOrEqual(Math.max(text.length, length) + 1);
      expect(wellFormed(cut)).toBe(cut);
    }),
  );
});
