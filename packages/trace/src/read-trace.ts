import { MurmurError } from '@murmur/errors';

/** One line of a trace: the five keys that every line has, and the payload of its event. */
export interface TraceLine {
  readonly event_type: string;
  readonly event_id: string;
  readonly parent_id: string | null;
  readonly session_id: string;
  readonly timestamp: number;
  readonly [key: string]: unknown;
}

/** How a trace is read. */
export interface ReadTraceOptions {
  /** The file's name, for messages. */
  readonly path: string;
  /**
   * Whether the session must have ended in order: `session_end` is there and the last line is whole.
   * Comparing sessions needs that; looking at one that is still running does not. Default: false.
   */
  readonly complete?: boolean;
}

/**
 * Reads a trace. A last line without its line feed is a write under way, and is left out unless
 * `complete` is asked for. Events of unknown types are kept. Throws `E-TRC-001` with the line's
 * number for a line that is no event, and for a trace that is empty or does not begin with
 * `session_start`. Implements docs/spec/session.md, "Trace".
 */
export function readTrace(text: string, options: ReadTraceOptions): readonly TraceLine[] {
  const { path, complete = false } = options;
  const rows = text.split('\n');
  const last = rows.pop() ?? '';
  if (last !== '' && complete) throw malformed(path, rows.length + 1, 'the last line is not whole');
  const lines = rows.map((row, index) => parseLine(row, path, index + 1));
  if (lines.length === 0) throw malformed(path, null, 'the trace is empty');
  if (lines[0]?.event_type !== 'session_start') {
    throw malformed(path, 1, 'the trace does not begin with session_start');
  }
  if (complete && !lines.some((line) => line.event_type === 'session_end')) {
    throw malformed(path, null, 'the trace has no session_end');
  }
  return lines;
}

function parseLine(row: string, path: string, line: number): TraceLine {
  let value: unknown;
  try {
    value = JSON.parse(row);
  } catch (cause) {
    throw malformed(path, line, 'not JSON', cause);
  }
  if (!isTraceLine(value)) {
    throw malformed(path, line, 'lacks one of event_type, event_id, parent_id, session_id, timestamp');
  }
  return value;
}

function isTraceLine(value: unknown): value is TraceLine {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const line = value as Readonly<Record<string, unknown>>;
  return (
    typeof line.event_type === 'string' &&
    typeof line.event_id === 'string' &&
    (line.parent_id === null || typeof line.parent_id === 'string') &&
    typeof line.session_id === 'string' &&
    typeof line.timestamp === 'number'
  );
}

function malformed(path: string, line: number | null, problem: string, cause?: unknown): MurmurError {
  return new MurmurError({ variant: null, code: 'E-TRC-001', path, line, problem }, { cause });
}
