/* The contract of a process driver in the host’s own shapes; implements "Contract" of docs/spec/process-driver.md. */

/** A host directory a harness needs: `~/…` below the account’s home, or absolute. */
export interface PathNeed {
  readonly path: string;
  readonly access: 'read' | 'read-write';
}
/** What a driver says of itself and its harness, once; members as in the contract (`wit/driver`). */
export interface DriverDescription {
  readonly harness: string;
  readonly binary: string;
  readonly versionArgs: readonly string[];
  readonly testedVersions: readonly string[];
  readonly interrupt: 'stdin-message' | 'signal-int' | 'unsupported';
  readonly requiredEnv: readonly string[];
  readonly streamsText: boolean;
  readonly reportsUsage: boolean;
  readonly loginCheck:
    | { readonly tag: 'command'; readonly args: readonly string[] }
    | { readonly tag: 'unavailable'; readonly reason: string };
  readonly harnessNeeds: { readonly paths: readonly PathNeed[]; readonly hosts: readonly string[] };
}
/** One driver instance of one harness run. Calls throw MurmurError ProcessDriverCallFailed. */
export interface DriverInstance extends AsyncDisposable {
  launch(request: LaunchRequest): Promise<LaunchPlan>;
  parse(lines: readonly string[]): Promise<readonly DriverEvent[]>;
  classifyExit(exit: ExitStatus): Promise<DriverEvent>;
  readLogin(output: {
    readonly exitCode: number | null;
    readonly stdout: string;
    readonly stderr: string;
  }): Promise<LoginState>;
}
/** Whether the harness is signed in, as its driver reads the login command’s output. */
export type LoginState =
  | { readonly tag: 'logged-in' }
  | { readonly tag: 'logged-out' | 'unknown'; readonly reason: string };
/** Everything a driver needs to plan one run; null members are absent in the contract. */
export interface LaunchRequest {
  readonly model: string | null;
  readonly systemPrompt: string;
  readonly config: string | null;
  readonly bridge: {
    readonly serverName: string;
    readonly url: string;
    readonly bearerToken: string;
    readonly toolNames: readonly string[];
  } | null;
  readonly session: { readonly id: string; readonly mode: 'new' | 'resume' };
  readonly harnessVersion: string | null;
  readonly task: string;
}
/** How to spawn the harness for one run; `{files_dir}` stands for the files directory in `args` and values. */
export interface LaunchPlan {
  readonly args: readonly string[];
  readonly envSet: readonly (readonly [string, string])[];
  readonly files: readonly { readonly name: string; readonly contents: string }[];
  readonly stdin: Uint8Array | null;
  readonly keepStdinOpen: boolean;
  readonly interruptStdin: Uint8Array | null;
}
/** How a harness ended whose output held no terminal event. */
export interface ExitStatus {
  readonly code: number | null;
  readonly signal: number | null;
  readonly stderrTail: string;
  readonly interrupted: boolean;
  readonly sawTerminal: boolean;
}
/** Why a run failed. */
export type FailureKind = 'auth' | 'quota' | 'max-turns' | 'canceled' | 'harness-error' | 'other';
/** Tokens the harness’s process has spent so far. Absent members are undefined, never 0. */
export interface Usage {
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheCreation?: number;
  readonly thinking?: number;
}
/** A span over which a subscription allows some use. Absent members are undefined, never 0. */
export interface QuotaWindow {
  readonly name: string;
  /** A fraction from 0 to 1. */
  readonly used?: number;
  /** Milliseconds since the epoch. */
  readonly resetsAt?: number;
  readonly windowMinutes?: number;
  readonly state?: 'ok' | 'warning' | 'exhausted';
}
type TextEvent<Tag extends string> = Tag extends string
  ? { readonly tag: Tag; readonly text: string }
  : never;
/** One thing a harness did, as its driver read it. */
export type DriverEvent =
  | {
      readonly tag: 'session-started';
      readonly id: string;
      readonly auth: string;
      readonly model: string | null;
    }
  | TextEvent<'text-delta' | 'text' | 'thinking-delta' | 'thinking' | 'note' | 'suggested-prompt'>
  | { readonly tag: 'tool-call'; readonly id: string; readonly name: string; readonly input: string }
  | { readonly tag: 'tool-result'; readonly id: string; readonly output: string; readonly isError: boolean }
  | { readonly tag: 'retry'; readonly attempt: number; readonly reason: string }
  | { readonly tag: 'usage'; readonly usage: Usage }
  | { readonly tag: 'turn-end'; readonly result: string }
  | { readonly tag: 'turn-failed'; readonly kind: FailureKind; readonly message: string }
  | { readonly tag: 'tool-call-started'; readonly id: string; readonly name: string }
  | { readonly tag: 'tool-call-progress'; readonly id: string; readonly inputBytes: number }
  | { readonly tag: 'quota'; readonly windows: readonly QuotaWindow[] };
