import type { Readable, Writable } from 'node:stream';
import type { ContainmentClass } from '@murmur/errors';

/** What this host can back, found by doing, layer by layer. */
export interface HostProbe {
  readonly platform: NodeJS.Platform;
  /** Strongest class that this build can deliver here. */
  readonly achievable: ContainmentClass;
  /** Mechanism name, `none` where no kernel tier is applied. */
  readonly enforcementTier: string;
  /** Why the next stronger class cannot be delivered, with the remedy; null when nothing is lacking. */
  readonly shortfall: string | null;
}

/**
 * Process limits, hard equal to soft; each is read back inside before the program runs. Absent = not set; more than
 * the inherited hard limit is lowered to that. Core dumps are always off.
 *
 * Implements `docs/spec/containment.md` ("Limits").
 */
export interface ProcessLimits {
  readonly openFiles?: number;
  /** On top of the threads that the user runs already; the kernel does not count for root. */
  readonly processes?: number;
  readonly fileSizeBytes?: number;
  readonly cpuSeconds?: number;
  /** RLIMIT_DATA, never RLIMIT_AS. */
  readonly dataBytes?: number;
}

export interface JailSpec {
  readonly class: ContainmentClass;
  /** Name shown in status and errors: 'harness', 'guest:<artifact>', … */
  readonly label: string;
}

export interface SpawnRequest {
  /** Absolute path of the program. */
  readonly program: string;
  /** Arguments after the program name. */
  readonly args: readonly string[];
  /** The whole environment of the child; nothing else is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute working directory. */
  readonly cwd: string;
  readonly stdin: 'pipe' | 'null';
  readonly stdout: 'pipe' | 'null';
  readonly stderr: 'pipe' | 'null';
  /** Extra blocking channels given to the child from descriptor 3 on: `out` = child writes, `in` = child reads. */
  readonly channels?: readonly ('in' | 'out')[];
  readonly limits?: ProcessLimits;
}

/** How a spawned program ended, as the warden reported it; never inferred from the warden's own exit code. */
export interface ExitRecord {
  /** null when a signal ended it. */
  readonly code: number | null;
  /** Signal number; null when it exited. */
  readonly signal: number | null;
  /** Killed for the memory of its control group; never true at `advisory`, which has none. */
  readonly oomKilled: boolean;
  /** Times and peak memory cover every process of the tree. */
  readonly userTimeUs: number;
  readonly systemTimeUs: number;
  readonly maxRssBytes: number;
  /** What was applied, by name: `docs/spec/containment.md` ("Status records"). `tree-ended`: nobody is left. */
  readonly layers: readonly string[];
}

/**
 * A running program. Its output stays readable after its end; a stream that was asked for should be read to its
 * end or destroyed. A broken pipe is never an uncaught error.
 */
export interface JailedProcess {
  readonly pid: number;
  readonly stdin: Writable | null;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  /** One stream per requested channel, in order. */
  readonly channels: readonly (Readable | Writable)[];
  /** Sends a signal to the program (not to its group). False when it is gone. */
  signal(signal: NodeJS.Signals): boolean;
  /** Kills the whole tree, setsid children included; resolves when it is reaped. */
  kill(): Promise<void>;
  /**
   * Resolves when the program itself ended; the tree it left behind is killed first.
   * @throws MurmurError `Runtime` (E-IO-003) when the warden went away without a report
   */
  readonly exited: Promise<ExitRecord>;
}

export interface Jail extends AsyncDisposable {
  readonly spec: JailSpec;
  /**
   * Resolves once the program was executed.
   * @throws MurmurError `Runtime` (E-IO-003) naming step and errno when it could not be (a missing program keeps its
   * ENOENT in `cause.code`)
   * @throws Error for a malformed request and after `kill`, before anything is started
   */
  spawn(request: SpawnRequest): Promise<JailedProcess>;
  /** Kills everything spawned through this jail and waits for it. */
  kill(): Promise<void>;
}

export interface ContainmentOptions {
  /** Path of the warden; default: the platform package, then the workspace build. */
  readonly wardenPath?: string;
}
