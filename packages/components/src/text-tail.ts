import type { Readable } from 'node:stream';

const TAIL_BYTES = 4096;
const ESCAPE_SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/g;

/** Text from outside, fit for a message: no terminal control, at most `maxLength` characters. */
export function plainText(text: string, maxLength = 500): string {
  const plain = text.replace(ESCAPE_SEQUENCES, '').replace(CONTROLS, '').trim();
  return plain.length <= maxLength ? plain : `${plain.slice(0, maxLength)}…`;
}

/** Drains streams and keeps their last 4 KiB, in the order in which it arrived. */
export function collectTail(streams: readonly (Readable | null)[]): () => string {
  let tail: Buffer = Buffer.alloc(0);
  for (const stream of streams) {
    stream?.on('data', (chunk: Buffer) => {
      const joined = Buffer.concat([tail, chunk.subarray(-TAIL_BYTES)]);
      tail = Buffer.from(joined.subarray(-TAIL_BYTES));
    });
    stream?.on('error', () => {});
  }
  return () => plainText(tail.toString('utf8'), TAIL_BYTES);
}
