import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { readLines } from './line-queue.js';
import { collectStderrTail } from './stderr-tail.js';
import { whenFinished } from './when-finished.js';

async function over(end: (stream: PassThrough) => void): Promise<PassThrough> {
  const stream = new PassThrough();
  stream.on('error', () => undefined);
  end(stream);
  stream.resume();
  await new Promise((resolve) => stream.once('close', resolve));
  return stream;
}
const ends: [string, (stream: PassThrough) => void][] = [
  ['ended', (stream) => stream.end()],
  ['destroyed', (stream) => stream.destroy()],
  ['failed', (stream) => stream.destroy(new Error('gone'))],
];

test.each(ends)('a stream that %s before anybody listened is over', async (_name, end) => {
  const first = await over(end);
  await new Promise<void>((resolve) => whenFinished(first, resolve));
  await collectStderrTail(await over(end), 10).ended;
  const stream = await over(end);
  await new Promise<void>((resolve) => {
    const lines = readLines(stream, (came) => {
      expect(came).toBe(false);
      expect(lines.drained).toBe(true);
      resolve();
    });
  });
});

test.each(ends)('a stream that %s while it is listened to is over, once', async (_name, end) => {
  const stream = new PassThrough();
  let calls = 0;
  const called = new Promise<void>((resolve) =>
    whenFinished(stream, () => {
      calls += 1;
      resolve();
    }),
  );
  stream.resume();
  end(stream);
  await called;
  stream.destroy();
  expect(calls).toBe(1);
});
