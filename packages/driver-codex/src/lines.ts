import {
  countMember,
  cutText,
  type DriverEvent,
  inputWithoutCache,
  type JsonObject,
  note,
  noteFor,
  objectMember,
  readJsonObject,
  retry,
  sessionStarted,
  stringMember,
  text,
  thinking,
  turnEnd,
  turnFailed,
  usage,
} from '@murmur/driver-sdk';
import { failureKindOf } from './failures.js';
import type { CodexState } from './state.js';
import { toolCallEvents } from './tool-items.js';

/** Events of one line of `codex exec --json`. */
export function readLine(line: string, state: CodexState): readonly DriverEvent[] {
  if (line.trim() === '') return [];
  const object = readJsonObject(line);
  switch (stringMember(object, 'type')) {
    case 'thread.started':
      return threadStarted(object, line);
    case 'turn.started':
      return [];
    case 'item.started':
    case 'item.updated':
    case 'item.completed':
      return readItem(object, line, state);
    case 'error':
      return readError(stringMember(object, 'message'), line);
    case 'turn.completed':
      return [...readUsage(objectMember(object, 'usage'), state), turnEnd(state.answer ?? '')];
    case 'turn.failed':
      return [failed(stringMember(objectMember(object, 'error'), 'message'))];
    default:
      return [noteFor(line)];
  }
}

function threadStarted(object: JsonObject | undefined, line: string): readonly DriverEvent[] {
  const id = stringMember(object, 'thread_id');
  // The stream never says how Codex bills: a login with a key or a configured provider looks the same.
  return id === undefined ? [noteFor(line)] : [sessionStarted({ id, auth: 'unknown' })];
}

function readItem(object: JsonObject | undefined, line: string, state: CodexState): readonly DriverEvent[] {
  const item = objectMember(object, 'item');
  const completed = stringMember(object, 'type') === 'item.completed';
  switch (stringMember(item, 'type')) {
    case 'agent_message':
      return completed ? agentMessage(stringMember(item, 'text'), line, state) : [];
    case 'reasoning': {
      const thought = stringMember(item, 'text');
      return completed && thought !== undefined && thought !== '' ? [thinking(thought)] : [];
    }
    case 'mcp_tool_call':
      return toolCallEvents(item, completed, line, state);
    case 'command_execution':
    case 'file_change':
    case 'web_search':
      return completed ? [ownToolNote(item)] : [];
    case 'todo_list':
    case 'plan':
      return [];
    case 'error':
      return completed ? [note(cutText(stringMember(item, 'message') ?? line, 512))] : [];
    default:
      return completed ? [noteFor(line)] : [];
  }
}

function agentMessage(message: string | undefined, line: string, state: CodexState): readonly DriverEvent[] {
  if (message === undefined) return [noteFor(line)];
  state.answer = message;
  return [text(message)];
}

/** A tool of Codex itself, outside the capsule's tools. What it was given stays out of the note. */
function ownToolNote(item: JsonObject | undefined): DriverEvent {
  const status = stringMember(item, 'status');
  return note(
    `Codex used a tool of its own: ${stringMember(item, 'type')}${status === undefined ? '' : ` (${cutText(status, 40)})`}`,
  );
}

const RECONNECTING = /^Reconnecting\.\.\. (\d{1,9})\/\d+ \((.*)\)$/s;

function readError(message: string | undefined, line: string): readonly DriverEvent[] {
  if (message === undefined) return [noteFor(line)];
  const [, attempt, reason] = RECONNECTING.exec(message) ?? [];
  if (attempt !== undefined && reason !== undefined) return [retry(Number(attempt), cutText(reason, 512))];
  return [note(cutText(message, 512))];
}

function failed(message: string | undefined): DriverEvent {
  return message === undefined || message === ''
    ? turnFailed('harness-error', 'Codex failed the turn without saying why')
    : turnFailed(failureKindOf(message), message);
}

/**
 * Codex counts per thread, not per process: on a new thread that is the same, on a resumed one the figures hold
 * all earlier runs and nothing tells how much that was. A wrong figure would be charged, so none is given.
 */
function readUsage(counts: JsonObject | undefined, state: CodexState): readonly DriverEvent[] {
  if (counts === undefined) return [];
  if (state.resumed) {
    if (state.saidUsageIsAbsent) return [];
    state.saidUsageIsAbsent = true;
    return [
      note('token counts are absent: on a resumed thread Codex reports totals that include earlier runs'),
    ];
  }
  const cacheRead = countMember(counts, 'cached_input_tokens');
  const cacheCreation = countMember(counts, 'cache_write_input_tokens');
  return usage(
    state.usage.take({
      input: inputWithoutCache(countMember(counts, 'input_tokens'), cacheRead, cacheCreation),
      output: countMember(counts, 'output_tokens'),
      cacheRead,
      cacheCreation,
      thinking: countMember(counts, 'reasoning_output_tokens'),
    }),
  );
}
