import type { Readable } from 'node:stream';
import { whenFinished } from './when-finished.js';

export interface StderrTail {
  /** What is kept: the last whole lines, at most the cap. */
  text(): string;
  /** Resolves when the stream ended. */
  readonly ended: Promise<void>;
}

/**
 * Keeps the end of `bytes`: whole lines while more than one is left, else the last part of the only one.
 * Returns a copy, so that a large chunk is not kept alive by its tail.
 */
export function lastPart(bytes: Buffer, capBytes: number): Buffer {
  if (bytes.length <= capBytes) return bytes;
  const from = bytes.length - capBytes;
  // The line that the cut falls into is dropped whole, unless it is the last one.
  const boundary = bytes[from - 1] === 0x0a ? from - 1 : bytes.indexOf(0x0a, from);
  const start = boundary < 0 || boundary >= bytes.length - 1 ? from : boundary + 1;
  return Buffer.from(bytes.subarray(start));
}

/** Reads stderr on its own, so that a harness never blocks on it; the text is for `classify-exit` only. */
export function collectStderrTail(stream: Readable | null, capBytes: number): StderrTail {
  let kept: Buffer = Buffer.alloc(0);
  const ended = new Promise<void>((resolve) => {
    if (stream === null) return resolve();
    stream.on('data', (chunk: Buffer) => {
      kept = lastPart(kept.length === 0 ? chunk : Buffer.concat([kept, chunk]), capBytes);
    });
    whenFinished(stream, resolve);
  });
  return { text: () => kept.toString('utf8'), ended };
}
