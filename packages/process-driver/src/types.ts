import type { Beneath } from '@murmur/beneath';
import type { ComponentRuntime } from '@murmur/components';
import type { Jail, ProcessLimits } from '@murmur/containment';
import type { ErrorCondition, WarningCondition } from '@murmur/errors';
import type { DriverDescription, DriverInstance, LaunchRequest, LoginState } from './contract.js';
import type { QuotaWindows } from './quota.js';

/** A driver that passed every check; each run opens an instance of its own. */
export interface LoadedDriver {
  readonly name: string;
  readonly version: string;
  readonly description: DriverDescription;
  /** @throws MurmurError `ProcessDriverCallFailed` (E-RUN-034) when the instance does not start. */
  openInstance(): Promise<DriverInstance>;
}

/** The program to run, absolute, and what named it. */
export interface HarnessBinary {
  readonly path: string;
  readonly source: 'inference.command' | "the process driver's describe()";
}
/** What the version question answered; `line` is null when it could not be read. */
export interface HarnessVersion {
  readonly line: string | null;
  readonly tested: boolean;
  /** `W-RUN-002` when not tested or unreadable. */
  readonly warning: WarningCondition | null;
}

/** Time, injected: the only clock the turn loop reads. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds from any start that never jump; windows and durations go by it. Default: `now`. */
  monotonic?(): number;
  setTimer(callback: () => void, ms: number): { cancel(): void };
}

/** A trace line to be: `eventType` and payload keys exactly as docs/spec names them (snake_case). */
export interface TurnRecord {
  readonly eventType: string;
  readonly payload: Readonly<Record<string, unknown>>;
}
/** Live output; kinds `status text thinking artifact tool-call-started tool-call-progress quota suggested-prompt`. */
export interface StreamFrame {
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The harness session of an attempt, and whether its context shall remember it. */
export interface SessionPlan {
  readonly mode: 'new' | 'resume';
  readonly id: string;
  readonly remember: boolean;
}

/** One run of a harness. */
export interface TurnOptions {
  readonly driver: LoadedDriver;
  readonly binary: HarnessBinary;
  /** The version probe's answer; awaited before launch so that it may run beside other work. */
  readonly version: Promise<HarnessVersion>;
  readonly jail: Jail;
  readonly limits?: ProcessLimits;
  /** Base environment (allowed names with host values), before env-set. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Directory below which this run's files directory is made (0700) and removed again. */
  readonly filesRoot: string;
  readonly request: Omit<LaunchRequest, 'harnessVersion' | 'session'>;
  readonly session: SessionPlan;
  readonly contextId: string | null;
  /** For HarnessSessionGone: the map file, null when held in memory only. */
  readonly sessionMapPath: string | null;
  readonly taskId: string;
  /** Turns this attempt may still open. */
  readonly maxTurns: number;
  /** Index the first turn of this attempt gets in the trace. */
  readonly firstTurn: number;
  readonly captureToolOutput: boolean;
  /** First abort = a person's cancel (graceful). */
  readonly cancel: AbortSignal;
  readonly clock: Clock;
  readonly record: (record: TurnRecord) => void;
  readonly stream: (frame: StreamFrame) => void;
  readonly warn: (warning: WarningCondition) => void;
  /** Subscription windows of the session; a fresh set when absent. */
  readonly quota?: QuotaWindows;
}
/** Where the events of a run go. */
export type TurnReport = Pick<TurnOptions, 'record' | 'stream' | 'warn'>;
/** What came of a run. */
export interface TurnOutcome {
  readonly status: 'completed' | 'failed' | 'canceled';
  /** Final answer; for a cancelled run the harness's last words. */
  readonly result: string | null;
  /** Present when failed. */
  readonly error: ErrorCondition | null;
  /** True when a cancelled harness had to be killed. */
  readonly killed: boolean;
  /** The id to remember for this context; null when nothing may be committed. */
  readonly commitSessionId: string | null;
  readonly turns: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly toolCalls: number;
}

/** What a driver is loaded from. */
export interface LoadDriverOptions {
  /** Artifact name and version, for messages. */
  readonly name: string;
  readonly version: string;
  readonly bytes: Uint8Array;
  readonly components: ComponentRuntime;
  /** Judges one `harness-needs` host: null when it can stand in `capabilities.network.allow`, else what is wrong. */
  readonly isNetworkEntry?: (entry: string) => string | null;
}

/** What the harness is looked for by. */
export interface ResolveBinaryOptions {
  /** `inference.command`; blank or null leaves the choice to the driver. */
  readonly command: string | null;
  readonly description: DriverDescription;
  /** Absolute directory a relative `command` with a separator starts from. */
  readonly projectDirectory: string;
  /** `PATH` as the runtime's own process has it. */
  readonly path: string;
  /** Tells whether a file can be run; default: a regular file this process may execute. */
  readonly isExecutable?: (file: string) => Promise<boolean>;
}

/** How a question is put to the harness. */
export interface CommandContext {
  readonly binary: HarnessBinary;
  readonly description: DriverDescription;
  /** Base environment: the granted names with their host values, and nothing else. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly jail: Jail;
  readonly limits?: ProcessLimits;
  readonly clock: Clock;
}
/** The version question and where its answer is remembered. */
export interface ProbeOptions extends CommandContext {
  /** Directory that answers are remembered in; null asks every time. */
  readonly cache: Beneath | null;
}
/** The login question. */
export interface LoginCheckOptions extends CommandContext {
  readonly driver: LoadedDriver;
}
/** `unavailable`: the harness offers no way to ask. Every reason is one line of at most 200 characters. */
export type LoginReport = LoginState | { readonly tag: 'unavailable'; readonly reason: string };

/** Where a session map lies. */
export interface SessionMapOptions {
  /** Directory of all conversation records; null keeps the map in memory. */
  readonly conversationsRoot: string | null;
  /** Directory below it: `context.record_store` or the capsule's name. */
  readonly record: string;
  /** Told at most once that the map cannot be kept on disk. */
  readonly onProblem: (reason: string) => void;
}
/** What a session is planned from. */
export interface SessionPlanRequest {
  readonly contextId: string | null;
  /** Whether the context goes on: threaded conversations, and every launch that resumes one. */
  readonly continues: boolean;
  /** Session of the attempt this one reopens; null when it is a first attempt. */
  readonly carriedId: string | null;
  /** Makes a fresh id (UUIDv7, bare, lower case). */
  readonly mintId: () => string;
}
/** Which harness session belongs to which context; implements "Sessions" of `docs/spec/process-driver.md`. */
export interface SessionMap {
  plan(request: SessionPlanRequest): Promise<SessionPlan>;
  commit(
    contextId: string,
    sessionId: string,
    note: { readonly harness: string; readonly driver: string; readonly nowMs: number },
  ): Promise<void>;
  /** Drops the entry and returns the id it held; null when there was none. */
  forget(contextId: string): Promise<string | null>;
  /** The file that holds the context's entry; null when it is held in memory only. */
  pathFor(contextId: string): string | null;
}
