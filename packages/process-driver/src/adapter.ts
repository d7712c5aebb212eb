import type {
  DriverDescription,
  ExitStatus,
  LaunchPlan,
  LaunchRequest,
  LoginState,
  PathNeed,
} from './contract.js';
import {
  bytes,
  flag,
  list,
  oneOf,
  optional,
  record,
  ShapeError,
  text,
  texts,
  variant,
} from './raw-values.js';

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
