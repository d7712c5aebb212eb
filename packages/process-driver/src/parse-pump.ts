import type { DriverEvent, DriverInstance } from './contract.js';
import type { LineQueue } from './line-queue.js';

export type ParseAnswer = { readonly events: readonly DriverEvent[] } | { readonly failure: unknown };

/** Hands lines to the driver, one batch at a time: never are two calls in flight, nor is an answer left behind. */
export interface ParsePump {
  /** Starts on the next batch when the driver is idle. False when there was nothing to do. */
  feed(): boolean;
  /** The driver's answer, once it is there. */
  take(): ParseAnswer | null;
  /** True while a call is out. */
  readonly busy: boolean;
  /** True when nothing is left to read, to parse or to take. */
  readonly done: boolean;
}

export function createParsePump(options: {
  readonly lines: LineQueue;
  readonly instance: DriverInstance;
  readonly onDiscarded: (bytes: number) => void;
  readonly onAnswer: () => void;
}): ParsePump {
  const { lines, instance, onDiscarded, onAnswer } = options;
  let busy = false;
  let answer: ParseAnswer | null = null;

  async function parse(batch: readonly string[]): Promise<void> {
    busy = true;
    try {
      answer = { events: await instance.parse(batch) };
    } catch (failure) {
      answer = { failure };
    }
    busy = false;
    onAnswer();
  }
  return {
    feed() {
      if (busy || answer !== null) return false;
      const batch = lines.take();
      if (batch === null) return false;
      if ('lines' in batch) void parse(batch.lines);
      else onDiscarded(batch.discardedBytes);
      return true;
    },
    take() {
      const taken = answer;
      answer = null;
      return taken;
    },
    get busy() {
      return busy;
    },
    get done() {
      return lines.drained && !busy && answer === null;
    },
  };
}
