import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineFramer, type FramedLine } from './framing.js';

function frame(bytes: Uint8Array, cuts: readonly number[], maxBytes = 1000): FramedLine[] {
  const framer = createLineFramer(maxBytes);
  const lines: FramedLine[] = [];
  let at = 0;
  for (const cut of [...cuts.map((c) => c % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    lines.push(...framer.push(Buffer.from(bytes.subarray(at, cut))));
    at = cut;
  }
  return lines;
}
/** The plain definition, one byte at a time. */
function specified(bytes: Uint8Array, maxBytes: number): FramedLine[] {
  const lines: FramedLine[] = [];
  let line: number[] = [];
  for (const byte of bytes) {
    if (byte !== 0x0a) {
      line.push(byte);
      continue;
    }
    if (line.length > maxBytes) lines.push({ discardedBytes: line.length });
    else lines.push(Buffer.from(line.at(-1) === 0x0d ? line.slice(0, -1) : line).toString('utf8'));
    line = [];
  }
  return lines;
}

test.each([
  ['', []],
  ['a', []],
  ['a\n', ['a']],
  ['a\r\n', ['a']],
  ['a\r\r\n', ['a\r']],
  ['\n\n', ['', '']],
  ['a\n\nb\nrest', ['a', '', 'b']],
  ['\r\n', ['']],
  ['a\rb\n', ['a\rb']],
])('frames %j', (text, lines) => expect(frame(Buffer.from(text), [])).toEqual(lines));

test('invalid UTF-8 becomes the replacement character, within its line only', () => {
  expect(frame(Buffer.from([0xff, 0x0a, 0xe2, 0x82, 0x0a, 0x41, 0x0a]), [])).toEqual([
    '\ufffd',
    '\ufffd',
    'A',
  ]);
});

test('any split into chunks gives the same lines as the definition', () => {
  const bytes = fc.array(fc.oneof(fc.constantFrom(0x0a, 0x0d, 0x41, 0xc3, 0xa9, 0xf0, 0x9f), fc.nat(255)), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(
      bytes,
      fc.array(fc.nat(60), { maxLength: 8 }),
      fc.integer({ min: 1, max: 20 }),
      (list, cuts, max) => {
        const data = Uint8Array.from(list);
        expect(frame(data, cuts, max)).toEqual(specified(data, max));
      },
    ),
    { numRuns: 2000 },
  );
});

test('an overlong line holds no more than the cap while it arrives', () => {
  const framer = createLineFramer(10);
  for (let i = 0; i < 1000; i++) expect(framer.push(Buffer.alloc(7, 0x61))).toEqual([]);
  expect(framer.push(Buffer.from('\nnext\n'))).toEqual([{ discardedBytes: 7000 }, 'next']);
});
