import { pendingInputBytes, trackedCalls } from './limits.js';

export interface PendingCall {
  readonly id: string;
  readonly name: string;
  /** Parsed from JSON; null when it was not JSON. */
  readonly input: unknown;
  readonly inputBytes: number;
  readonly turn: number;
  readonly startedAt: number;
}

/** Calls that wait for their result. */
export interface PendingCalls {
  /** Why the call is not tracked; null when it is. */
  add(call: {
    readonly id: string;
    readonly name: string;
    readonly input: string;
    readonly turn: number;
    readonly now: number;
  }): string | null;
  /** The call a result belongs to; undefined when none waits under that id. */
  take(id: string): PendingCall | undefined;
  /** Ids still waiting, sorted. */
  unanswered(): readonly string[];
}

function parseInput(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** Inputs are kept as text until their result comes, and only up to a total size: what exceeds it is counted, not kept. */
export function createPendingCalls(): PendingCalls {
  const calls = new Map<string, Omit<PendingCall, 'input'> & { readonly inputText: string | null }>();
  let keptBytes = 0;
  return {
    add({ id, name, input, turn, now }) {
      if (calls.has(id))
        return `tool call '${id}' was reported twice before its result; the first report stands`;
      if (calls.size >= trackedCalls)
        return `tool call '${id}' is not followed: ${trackedCalls} others wait for a result`;
      const inputBytes = Buffer.byteLength(input);
      const keep = keptBytes + inputBytes <= pendingInputBytes;
      if (keep) keptBytes += inputBytes;
      calls.set(id, { id, name, inputText: keep ? input : null, inputBytes, turn, startedAt: now });
      return null;
    },
    take(id) {
      const call = calls.get(id);
      if (call === undefined) return undefined;
      calls.delete(id);
      const { inputText, ...rest } = call;
      if (inputText !== null) keptBytes -= rest.inputBytes;
      return { ...rest, input: parseInput(inputText) };
    },
    unanswered: () => [...calls.keys()].sort(),
  };
}
