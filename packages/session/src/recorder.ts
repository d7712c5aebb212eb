import { randomBytes } from 'node:crypto';
import type { Beneath } from '@murmur/beneath';
import { uuidv7 } from '@murmur/manifest';
import type { Clock } from '@murmur/process-driver';
import { openTrace, type TraceEvents, type TraceEventType } from '@murmur/trace';

/**
 * Writes the session's trace and tells an observer each line. Parents are kept here: task records hang off the
 * session, turn records off the task, and a tool call off the turn that made it.
 */
export interface Recorder {
  session<E extends TraceEventType>(eventType: E, payload: TraceEvents[E]): void;
  /** The first is `task_start`; later ones hang off it. */
  task<E extends TraceEventType>(eventType: E, payload: TraceEvents[E]): void;
  /** A record of the turn loop; its payload was shaped by the process-driver host. */
  turn(eventType: string, taskId: string, payload: Readonly<Record<string, unknown>>): void;
  /** Waits until every line is on disk. @throws MurmurError AgentLoopFailed */
  close(): Promise<void>;
}

export interface RecorderOptions {
  readonly records: Beneath;
  readonly sessionId: string;
  readonly clock: Clock;
  readonly observe: (line: Readonly<Record<string, unknown>>) => void;
}

export function openRecorder(options: RecorderOptions): Recorder {
  const { records, sessionId, clock } = options;
  const trace = openTrace({
    sessionId,
    clock: clock.now,
    mintEventId: () => `evt_${uuidv7(clock.now(), randomBytes).replaceAll('-', '')}`,
    async append(lines) {
      await records.append('trace.jsonl', lines.join(''), { mode: 0o600 });
      for (const line of lines) options.observe(JSON.parse(line) as Record<string, unknown>);
    },
  });
  let sessionNode: string | null = null;
  let taskNode: string | null = null;
  let turnNode: string | null = null;
  return {
    session(eventType, payload) {
      const id = trace.write(eventType, sessionNode, payload);
      sessionNode ??= id;
    },
    task(eventType, payload) {
      const id = trace.write(eventType, taskNode ?? sessionNode, payload);
      taskNode ??= id;
    },
    turn(eventType, taskId, payload) {
      const parent = eventType === 'tool_call' ? (turnNode ?? taskNode) : taskNode;
      const id = trace.write(eventType as TraceEventType, parent, { task_id: taskId, ...payload } as never);
      if (eventType === 'inference') turnNode = id;
    },
    close: () => trace.flush(),
  };
}
