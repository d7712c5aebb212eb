import { progressIntervalMs, trackedCalls } from './limits.js';

interface Writing {
  readonly name: string;
  inputBytes: number;
  shownBytes: number;
  shownAt: number | null;
}

/** Tool calls that the model is still writing: what a live listener is told of them, and how often. */
export interface ToolWriting {
  /** True when this start is news: a non-empty id that is neither being written nor already complete. */
  start(id: string, name: string): boolean;
  /** The byte count to show now, or null: unknown call, no growth, or shown too short a time ago. */
  progress(id: string, inputBytes: number, now: number): number | null;
  /** Marks a call as complete; returns the byte count that was held back, if any. */
  settle(id: string): number | null;
}

/** Keeps a bounded number of calls and of finished ids, so that no harness can make it grow. */
export function createToolWriting(): ToolWriting {
  const writing = new Map<string, Writing>();
  const settled = new Set<string>();
  return {
    start(id, name) {
      if (id === '' || writing.has(id) || settled.has(id) || writing.size >= trackedCalls) return false;
      writing.set(id, { name, inputBytes: 0, shownBytes: 0, shownAt: null });
      return true;
    },
    progress(id, inputBytes, now) {
      const call = writing.get(id);
      if (call === undefined || inputBytes <= call.inputBytes) return null;
      call.inputBytes = inputBytes;
      if (call.shownAt !== null && now - call.shownAt < progressIntervalMs) return null;
      call.shownAt = now;
      call.shownBytes = inputBytes;
      return inputBytes;
    },
    settle(id) {
      const call = writing.get(id);
      writing.delete(id);
      settled.add(id);
      if (settled.size > trackedCalls)
        for (const oldest of settled) {
          settled.delete(oldest);
          break;
        }
      return call !== undefined && call.inputBytes > call.shownBytes ? call.inputBytes : null;
    },
  };
}
