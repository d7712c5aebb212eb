import type { Readable } from 'node:stream';
import { createLineFramer, type FramedLine } from './framing.js';
import {
  lineQueueChars,
  lineQueueLines,
  maxBatchChars,
  maxBatchLines,
  maxEncodedLineBytes,
  maxLineBytes,
} from './limits.js';
import { whenFinished } from './when-finished.js';

/** What is taken from the queue at once: lines for one `parse` call, or word of a line that was too long. */
export type LineBatch = { readonly lines: readonly string[] } | { readonly discardedBytes: number };

/** The lines of a stream, read ahead only as far as the queue's bounds allow: a full queue stops the reader. */
export interface LineQueue {
  /** The next batch in order; null when nothing is queued. */
  take(): LineBatch | null;
  /** True once the stream ended and everything was taken. */
  readonly drained: boolean;
}

/** Lines of control characters grow sixfold on their way into a guest; such a line is thrown away like one too long. */
function handedOver(line: FramedLine): FramedLine {
  if (typeof line !== 'string' || line.length * 6 < maxEncodedLineBytes) return line;
  return Buffer.byteLength(JSON.stringify(line)) < maxEncodedLineBytes
    ? line
    : { discardedBytes: Buffer.byteLength(line) };
}

const sizeOf = (line: FramedLine): number => (typeof line === 'string' ? line.length : 0);

/** Starts reading. `onChange` is called when lines came (with true) and when the stream ended. */
export function readLines(stream: Readable | null, onChange: (lines: boolean) => void): LineQueue {
  const framer = createLineFramer(maxLineBytes);
  let queue: FramedLine[] = [];
  let head = 0;
  let chars = 0;
  let ended = stream === null;
  let paused = false;

  const end = (): void => {
    if (ended) return;
    ended = true;
    onChange(false);
  };
  stream?.on('data', (chunk: Buffer) => {
    const lines = framer.push(chunk);
    if (lines.length === 0) return;
    for (const framed of lines) {
      const line = handedOver(framed);
      queue.push(line);
      chars += sizeOf(line);
    }
    if (!paused && (queue.length - head >= lineQueueLines || chars >= lineQueueChars)) {
      paused = true;
      stream.pause();
    }
    onChange(true);
  });
  // A read error is the end of the output: what the harness meant to say is lost either way.
  if (stream !== null) whenFinished(stream, end);

  function next(): FramedLine | undefined {
    const line = queue[head];
    if (line === undefined) return undefined;
    head += 1;
    chars -= sizeOf(line);
    return line;
  }
  function settle(): void {
    if (head === queue.length) {
      queue = [];
      head = 0;
    } else if (head > 4096) {
      queue = queue.slice(head);
      head = 0;
    }
    if (paused && queue.length - head < lineQueueLines / 2 && chars < lineQueueChars / 2) {
      paused = false;
      stream?.resume();
    }
  }

  return {
    take() {
      const first = next();
      if (first === undefined) return null;
      if (typeof first !== 'string') {
        settle();
        return first;
      }
      const lines = [first];
      let taken = first.length;
      while (lines.length < maxBatchLines) {
        const line = queue[head];
        if (typeof line !== 'string' || taken + line.length > maxBatchChars) break;
        next();
        lines.push(line);
        taken += line.length;
      }
      settle();
      return { lines };
    },
    get drained() {
      return ended && head === queue.length;
    },
  };
}
