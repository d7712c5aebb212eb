import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readLines } from './line-queue.js';

/** A stream without an end that counts what was taken from it. */
function endless(chunk: string): { readonly stream: Readable; readonly chunks: () => number } {
  let chunks = 0;
  const stream = new Readable({
    highWaterMark: 1,
    read() {
      chunks += 1;
      this.push(chunk);
    },
  });
  return { stream, chunks: () => chunks };
}
async function spins(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}

test.each([
  ['many short lines', 'line\n'.repeat(10), 103],
  ['few long ones', `${'x'.repeat(1024 * 1024)}\n`, 33],
])('a queue that nobody empties stops reading: %s', async (_name, chunk, most) => {
  const { stream, chunks } = endless(chunk);
  const lines = readLines(stream, () => undefined);
  await spins(500);
  expect(chunks()).toBeLessThanOrEqual(most + 1);
  const before = chunks();
  for (let i = 0; i < 40; i++) lines.take();
  await spins(500);
  expect(chunks()).toBeGreaterThan(before);
  expect(chunks()).toBeLessThanOrEqual(before + most);
  stream.destroy();
});

test('batches keep the order, at most 256 lines and 4 Mi characters, oversized lines apart', async () => {
  const long = 'y'.repeat(3 * 1024 * 1024);
  const parts = [
    'a\nb\n',
    'c\n'.repeat(600),
    `${long}\n${long}\n`,
    `${'z'.repeat(17 * 1024 * 1024)}\nend\nlost`,
  ];
  await new Promise<void>((resolve) => {
    const sizes: (number | string)[] = [];
    const lines = readLines(
      Readable.from(
        parts.map((part) => Buffer.from(part)),
        { objectMode: false },
      ),
      () => {
        for (let batch = lines.take(); batch !== null; batch = lines.take())
          sizes.push('lines' in batch ? batch.lines.length : `${batch.discardedBytes} thrown away`);
        if (!lines.drained) return;
        expect(sizes.filter((size) => typeof size === 'number').reduce((a, b) => a + b, 0)).toBe(
          2 + 600 + 2 + 1,
        );
        expect(Math.max(...sizes.filter((size) => typeof size === 'number'))).toBeLessThanOrEqual(256);
        expect(sizes.slice(-4)).toEqual([1, 1, `${17 * 1024 * 1024} thrown away`, 1]);
        resolve();
      },
    );
  });
});

test('a line that would outgrow a guest’s message is thrown away like one too long', async () => {
  await new Promise<void>((resolve) => {
    const lines = readLines(
      Readable.from([Buffer.from(`${'\u0001'.repeat(11 * 1024 * 1024)}\n`)], { objectMode: false }),
      (came) => {
        if (!came) return;
        expect(lines.take()).toEqual({ discardedBytes: 11 * 1024 * 1024 });
        resolve();
      },
    );
  });
});
