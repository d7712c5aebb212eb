import type { ContainmentClass, ErrorCondition, WarningCondition } from '@murmur/errors';
import type { Clock, StreamFrame } from '@murmur/process-driver';

/** Everything `runCapsule` needs to know; nothing is read from the process itself. */
export interface RunOptions {
  /** Path of the capsule manifest, absolute or relative to `cwd`. */
  readonly manifestPath: string;
  readonly cwd: string;
  /** The person's home; null when it cannot be used (then the run is refused: there is no place for its records). */
  readonly home: string | null;
  /** Environment of the `mur` process. Only names that the manifest allows go any further. */
  readonly env: Readonly<Record<string, string>>;
  readonly murVersion: string;
  readonly flags: RunFlags;
  readonly clock: Clock;
  /** First abort: the turn is interrupted gracefully and the task ends `canceled`. */
  readonly cancel: AbortSignal;
  /** Abort: everything that runs is killed at once. */
  readonly kill: AbortSignal;
  readonly observer: RunObserver;
  readonly files?: RuntimeFiles;
}

export interface RunFlags {
  /** Task text, or the path of an existing file that holds it. */
  readonly task?: string;
  /** Replaces the manifest's system prompt; empty clears it. */
  readonly systemPrompt?: string;
  readonly context?: string;
  readonly forgetSession?: boolean;
  readonly workdir?: string;
  readonly containment?: ContainmentClass;
  /** False: the `.env` file beside the manifest is not read. */
  readonly envFile?: boolean;
}

/** Files that child processes run; set by a program that bundles this package. */
export interface RuntimeFiles {
  readonly guestEntry?: string;
  readonly transpileEntry?: string;
  readonly wardenPath?: string;
}

/** What a run tells while it goes on. Called synchronously; must not throw. */
export interface RunObserver {
  /** What is being done now, in a few words; for a terminal. */
  progress(text: string): void;
  warning(warning: WarningCondition): void;
  /** Staged: the session exists from here on. */
  ready(session: SessionFacts): void;
  /** One line of the trace, as written. */
  record(line: Readonly<Record<string, unknown>>): void;
  frame(frame: StreamFrame): void;
}

export interface SessionFacts {
  readonly sessionId: string;
  readonly name: string;
  readonly version: string;
  readonly pid: number;
  /** Address of the door; null while there is none. */
  readonly url: null;
  /** The directory the capsule works in. */
  readonly workdir: string;
  readonly recordsDirectory: string;
  readonly driver: string;
  readonly model: string | null;
}

export type ExitStatus = 'ok' | 'failed' | 'max_turns_reached' | 'canceled';

export interface RunResult {
  readonly session: SessionFacts;
  readonly exitStatus: ExitStatus;
  /** The answer of a completed task; null otherwise. */
  readonly answer: string | null;
  /** Why the task did not complete; null when it did. */
  readonly error: ErrorCondition | null;
  readonly resultPath: string;
  readonly tracePath: string;
}
