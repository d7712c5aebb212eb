import type { DriverEvent, FailureKind, QuotaWindow, Usage } from './contract.js';
import {
  count,
  flag,
  list,
  number,
  oneOf,
  optional,
  present,
  record,
  ShapeError,
  text,
  variant,
} from './raw-values.js';

function readUsage(value: unknown): Usage {
  const raw = record(value, 'usage');
  const member = (key: string): number | undefined => optional(raw[key], (v) => count(v, `usage.${key}`));
  return present<Required<Usage>>({
    input: member('input'),
    output: member('output'),
    cacheRead: member('cacheRead'),
    cacheCreation: member('cacheCreation'),
    thinking: member('thinking'),
  });
}

function readQuotaWindow(value: unknown, index: number): QuotaWindow {
  const where = `quota[${index}]`;
  const raw = record(value, where);
  return {
    name: text(raw.name, `${where}.name`),
    ...present<Required<Omit<QuotaWindow, 'name'>>>({
      used: optional(raw.used, (v) => number(v, `${where}.used`)),
      resetsAt: optional(raw.resetsAt, (v) => count(v, `${where}.resets-at`)),
      windowMinutes: optional(raw.windowMinutes, (v) => count(v, `${where}.window-minutes`)),
      state: optional(raw.state, (v) => oneOf(v, ['ok', 'warning', 'exhausted'], `${where}.state`)),
    }),
  };
}

const failureKinds: readonly FailureKind[] = [
  'auth',
  'quota',
  'max-turns',
  'canceled',
  'harness-error',
  'other',
];

export function readEvent(value: unknown): DriverEvent {
  const { tag, val } = variant(value, 'event');
  switch (tag) {
    case 'text-delta':
    case 'text':
    case 'thinking-delta':
    case 'thinking':
    case 'note':
    case 'suggested-prompt':
      return { tag, text: text(val, tag) };
    case 'session-started': {
      const raw = record(val, tag);
      return {
        tag,
        id: text(raw.id, `${tag}.id`),
        auth: text(raw.auth, `${tag}.auth`),
        model: optional(raw.model, (v) => text(v, `${tag}.model`)) ?? null,
      };
    }
    case 'tool-call': {
      const raw = record(val, tag);
      return {
        tag,
        id: text(raw.id, `${tag}.id`),
        name: text(raw.name, `${tag}.name`),
        input: text(raw.input, `${tag}.input`),
      };
    }
    case 'tool-result': {
      const raw = record(val, tag);
      return {
        tag,
        id: text(raw.id, `${tag}.id`),
        output: text(raw.output, `${tag}.output`),
        isError: flag(raw.isError, `${tag}.is-error`),
      };
    }
    case 'retry': {
      const raw = record(val, tag);
      return {
        tag,
        attempt: count(raw.attempt, `${tag}.attempt`),
        reason: text(raw.reason, `${tag}.reason`),
      };
    }
    case 'usage':
      return { tag, usage: readUsage(val) };
    case 'turn-end':
      return { tag, result: text(val, tag) };
    case 'turn-failed': {
      const raw = record(val, tag);
      return {
        tag,
        kind: oneOf(raw.kind, failureKinds, `${tag}.kind`),
        message: text(raw.message, `${tag}.message`),
      };
    }
    case 'tool-call-started': {
      const raw = record(val, tag);
      return { tag, id: text(raw.id, `${tag}.id`), name: text(raw.name, `${tag}.name`) };
    }
    case 'tool-call-progress': {
      const raw = record(val, tag);
      return {
        tag,
        id: text(raw.id, `${tag}.id`),
        inputBytes: count(raw.inputBytes, `${tag}.input-bytes`),
      };
    }
    case 'quota':
      return { tag, windows: list(val, tag).map(readQuotaWindow) };
    default:
      throw new ShapeError(`event has no case '${tag}'`);
  }
}

export function readEvents(value: unknown): readonly DriverEvent[] {
  return list(value, 'events').map(readEvent);
}
