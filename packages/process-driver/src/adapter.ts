import type {
  DriverDescription,
  DriverEvent,
  ExitStatus,
  FailureKind,
  LaunchPlan,
  LaunchRequest,
  LoginState,
  PathNeed,
  QuotaWindow,
  Usage,
} from './types.js';

/*
 * The only module that touches what a component returned. The code generated for a component is no more trusted than
 * the component: every value is checked, and an unknown tag or shape is an error, never a guess.
 */

/** A value that the contract does not allow; the message says where and what. */
export class ShapeError extends Error {}

type Raw = Readonly<Record<string, unknown>>;

function fail(where: string, expected: string, value: unknown): never {
  const found = value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value;
  throw new ShapeError(`${where} must be ${expected}, found ${found}`);
}
function record(value: unknown, where: string): Raw {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return fail(where, 'a record', value);
  return value as Raw;
}
function list(value: unknown, where: string): readonly unknown[] {
  return Array.isArray(value) ? value : fail(where, 'a list', value);
}
function text(value: unknown, where: string): string {
  return typeof value === 'string' ? value : fail(where, 'text', value);
}
function flag(value: unknown, where: string): boolean {
  return typeof value === 'boolean' ? value : fail(where, 'a boolean', value);
}
function texts(value: unknown, where: string): string[] {
  return list(value, where).map((item, index) => text(item, `${where}[${index}]`));
}
function optional<T>(value: unknown, read: (value: unknown) => T): T | undefined {
  return value === undefined || value === null ? undefined : read(value);
}
function oneOf<T extends string>(value: unknown, allowed: readonly T[], where: string): T {
  const found = allowed.find((candidate) => candidate === value);
  return found ?? fail(where, `one of ${allowed.join(', ')}`, value);
}
function bytes(value: unknown, where: string): Uint8Array {
  return value instanceof Uint8Array ? value : fail(where, 'bytes', value);
}
/** A `u64` as a safe integer; above 2^53−1 it saturates. */
function count(value: unknown, where: string): number {
  if (typeof value === 'bigint' && value >= 0n)
    return Number(value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : value);
  if (typeof value === 'number' && value >= 0 && Number.isInteger(value))
    return Math.min(value, Number.MAX_SAFE_INTEGER);
  return fail(where, 'a count', value);
}
function number(value: unknown, where: string): number {
  return typeof value === 'number' ? value : fail(where, 'a number', value);
}
function variant(value: unknown, where: string): { readonly tag: string; readonly val: unknown } {
  const raw = record(value, where);
  return { tag: text(raw.tag, `${where}.tag`), val: raw.val };
}
/** Copies only the members that are there, so that absent stays absent. */
function present<T>(members: { readonly [K in keyof T]: T[K] | undefined }): Partial<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>;
}

export function readDescription(value: unknown): DriverDescription {
  const raw = record(value, 'description');
  const needs = record(raw.harnessNeeds, 'harness-needs');
  return {
    harness: text(raw.harness, 'harness'),
    binary: text(raw.binary, 'binary'),
    versionArgs: texts(raw.versionArgs, 'version-args'),
    testedVersions: texts(raw.testedVersions, 'tested-versions'),
    interrupt: oneOf(raw.interrupt, ['stdin-message', 'signal-int', 'unsupported'], 'interrupt'),
    requiredEnv: texts(raw.requiredEnv, 'required-env'),
    streamsText: flag(raw.streamsText, 'streams-text'),
    reportsUsage: flag(raw.reportsUsage, 'reports-usage'),
    loginCheck: readLoginCheck(raw.loginCheck),
    harnessNeeds: {
      paths: list(needs.paths, 'harness-needs.paths').map(readPathNeed),
      hosts: texts(needs.hosts, 'harness-needs.hosts'),
    },
  };
}

function readPathNeed(value: unknown, index: number): PathNeed {
  const where = `harness-needs.paths[${index}]`;
  const raw = record(value, where);
  return {
    path: text(raw.path, `${where}.path`),
    access: oneOf(raw.access, ['read', 'read-write'], `${where}.access`),
  };
}

function readLoginCheck(value: unknown): DriverDescription['loginCheck'] {
  const { tag, val } = variant(value, 'login-check');
  if (tag === 'command') return { tag, args: texts(val, 'login-check.command') };
  if (tag === 'unavailable') return { tag, reason: text(val, 'login-check.unavailable') };
  throw new ShapeError(`login-check has no case '${tag}'`);
}

/** Strings cross as UTF-8: half a surrogate pair would trap some guests. */
function wellFormed(value: string): string {
  return value.replace(/\p{Surrogate}/gu, '\ufffd');
}

export function launchRequestValue(request: LaunchRequest): unknown {
  const { bridge } = request;
  return {
    model: request.model === null ? undefined : wellFormed(request.model),
    systemPrompt: wellFormed(request.systemPrompt),
    config: request.config === null ? undefined : wellFormed(request.config),
    bridge:
      bridge === null
        ? undefined
        : {
            serverName: bridge.serverName,
            url: bridge.url,
            bearerToken: bridge.bearerToken,
            toolNames: [...bridge.toolNames],
          },
    session: { id: wellFormed(request.session.id), mode: request.session.mode },
    harnessVersion: request.harnessVersion === null ? undefined : wellFormed(request.harnessVersion),
    task: wellFormed(request.task),
  };
}

export function readLaunchPlan(value: unknown): LaunchPlan {
  const raw = record(value, 'launch-plan');
  return {
    args: texts(raw.args, 'args'),
    envSet: list(raw.envSet, 'env-set').map((pair, index) => {
      const where = `env-set[${index}]`;
      const [name, setting, ...rest] = list(pair, where);
      if (rest.length > 0) throw new ShapeError(`${where} must be a pair`);
      return [text(name, `${where} name`), text(setting, `${where} value`)] as const;
    }),
    files: list(raw.files, 'files').map((file, index) => {
      const where = `files[${index}]`;
      const { name, contents } = record(file, where);
      return { name: text(name, `${where}.name`), contents: text(contents, `${where}.contents`) };
    }),
    stdin: optional(raw.stdin, (v) => bytes(v, 'stdin')) ?? null,
    keepStdinOpen: flag(raw.keepStdinOpen, 'keep-stdin-open'),
    interruptStdin: optional(raw.interruptStdin, (v) => bytes(v, 'interrupt-stdin')) ?? null,
  };
}

export function exitStatusValue(exit: ExitStatus): unknown {
  return {
    code: exit.code ?? undefined,
    signal: exit.signal ?? undefined,
    stderrTail: wellFormed(exit.stderrTail),
    interrupted: exit.interrupted,
    sawTerminal: exit.sawTerminal,
  };
}

export function readLoginState(value: unknown): LoginState {
  const { tag, val } = variant(value, 'login-state');
  if (tag === 'logged-in') return { tag };
  if (tag === 'logged-out' || tag === 'unknown') return { tag, reason: text(val, `login-state.${tag}`) };
  throw new ShapeError(`login-state has no case '${tag}'`);
}

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
