import { isMurmurError, MurmurError } from '@murmur/errors';
import type { TraceEvents, TraceEventType } from './events.js';
import { withhold } from './withhold.js';

/** The trace of one session, as its only writer holds it. */
export interface Trace {
  /**
   * Puts one event at the end of the trace and returns its id at once; lines reach the file in the
   * order of these calls. `parentId` names an earlier event, and is null on `session_start` only.
   *
   * Throws `E-RUN-007` (`AgentLoopFailed`) when an earlier line could not be written. A parent that
   * is no earlier line, a second `session_start` or anything after `session_end` is a fault of the
   * program and throws a plain Error.
   */
  write<E extends TraceEventType>(eventType: E, parentId: string | null, payload: TraceEvents[E]): string;
  /** Waits until every line handed over so far is written. Throws `E-RUN-007` when one could not be. */
  flush(): Promise<void>;
}

/** What a trace needs from its surroundings. */
export interface TraceOptions {
  readonly sessionId: string;
  /** Appends lines, line feeds included, to the file. Called for one batch at a time. */
  readonly append: (lines: readonly string[]) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** A fresh id: `evt_` followed by a UUIDv7 as 32 hexadecimal digits. */
  readonly mintEventId: () => string;
  /** Values that must never reach the file, asked for at every line because keys can change. */
  readonly secrets?: () => readonly string[];
}

/** Opens the trace of a session. Implements docs/spec/session “trace”. */
export function openTrace(options: TraceOptions): Trace {
  const { sessionId, append, clock, mintEventId, secrets = () => [] } = options;
  const known = new Set<string>();
  let ended = false;
  let failure: MurmurError | null = null;
  const waiting: string[] = [];
  let queue: Promise<void> = Promise.resolve();

  function checkPlace(eventType: string, parentId: string | null): void {
    if (ended) throw new Error(`${eventType} after session_end`);
    if (eventType === 'session_start') {
      if (known.size > 0) throw new Error('session_start is not the first line');
      if (parentId !== null) throw new Error('session_start has no parent');
      return;
    }
    if (parentId === null || !known.has(parentId)) {
      throw new Error(`the parent of ${eventType} is no earlier line: ${parentId}`);
    }
  }

  /** Lines that wait go to the file together: a flood of events costs as many writes as the disk allows. */
  function enqueue(line: string): void {
    waiting.push(line);
    if (waiting.length > 1) return;
    queue = queue.then(async () => {
      const lines = waiting.splice(0);
      // After a failed write the file may end in half a line; another one would be glued to it.
      if (failure !== null) return;
      try {
        await append(lines);
      } catch (cause) {
        const reason = isMurmurError(cause) || cause instanceof Error ? cause.message : String(cause);
        failure = new MurmurError(
          { variant: 'AgentLoopFailed', message: `the trace could not be written: ${reason}` },
          { cause },
        );
      }
    });
  }

  return {
    write(eventType, parentId, payload) {
      if (failure !== null) throw failure;
      checkPlace(eventType, parentId);
      const eventId = mintEventId();
      if (known.has(eventId)) throw new Error(`event id ${eventId} is not fresh`);
      const envelope = {
        event_type: eventType,
        event_id: eventId,
        parent_id: parentId,
        session_id: sessionId,
        timestamp: clock(),
      };
      for (const key of Object.keys(envelope)) {
        if (key in payload) throw new Error(`${eventType} carries the reserved key ${key}`);
      }
      enqueue(`${JSON.stringify({ ...envelope, ...withhold(eventType, payload, secrets()) })}\n`);
      known.add(eventId);
      ended = eventType === 'session_end';
      return eventId;
    },
    async flush() {
      await queue;
      if (failure !== null) throw failure;
    },
  };
}
