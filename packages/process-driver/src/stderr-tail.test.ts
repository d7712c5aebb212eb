import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { collectStderrTail, lastPart } from './stderr-tail.js';

test.each([
  ['abc', 10, 'abc'],
  ['one\ntwo\nthree\n', 8, 'three\n'],
  ['one\ntwo\nthree\n', 10, 'two\nthree\n'],
  ['one\ntwo\nthree\n', 9, 'three\n'],
  ['longline', 4, 'line'],
  ['x\nlongline\n', 4, 'ine\n'],
])('%j cut to %i bytes', (text, cap, kept) => expect(lastPart(Buffer.from(text), cap).toString()).toBe(kept));

test('never above the cap, always a suffix', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 10 }), (text, cap) => {
      const bytes = Buffer.from(text);
      const kept = lastPart(bytes, cap);
      expect(kept.length).toBeLessThanOrEqual(cap);
      expect(bytes.subarray(bytes.length - kept.length).equals(kept)).toBe(true);
    }),
  );
});

test('a stream is read to its end', async () => {
  const stream = new PassThrough();
  const tail = collectStderrTail(stream, 6);
  stream.write('first\n');
  stream.end('second');
  await tail.ended;
  expect(tail.text()).toBe('second');
});
