import type { Readable, Writable } from 'node:stream';
import type { ContainmentClass } from '@murmur/errors';

/** What this host can back, found by doing, layer by layer. */
export interface HostProbe {
  readonly platform: NodeJS.Platform;
  /** Strongest class that this build can deliver here. */
  readonly achievable: ContainmentClass;
  /** Mechanism name, `none` where no kernel tier is applied. */
  readonly enforcementTier: string;
  /** Layers that held in the rehearsal of that class, as an exit record names them. */
  readonly layers: readonly string[];
  /** Why the next stronger class cannot be delivered, with the remedy; null when nothing is lacking. */
  readonly shortfall: string | null;
  /** The same for programs: what blocks it, and the step and the system's error that showed it. */
  readonly blocker: {
    readonly name: string;
    readonly step: string | null;
    readonly errno: string | null;
  } | null;
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

/**
 * What a jail above `advisory` may reach; whatever is not named here is not there or is refused. Paths are absolute
 * and have to exist; inside, each lies under its real path, links resolved.
 *
 * Implements `docs/spec/containment.md` ("Grants").
 */
export interface JailGrants {
  /** Directories and files that may be read and listed. */
  readonly readOnly?: readonly string[];
  /** Directories that may be read and written, and from which nothing is ever executed. */
  readonly readWrite?: readonly string[];
  /** Program files that may be executed, and with them the loader or the interpreters that they name. */
  readonly executables?: readonly string[];
  /** Directories that may be read and whose programs may be executed; not writable, even inside a writable one. */
  readonly executableTrees?: readonly string[];
  /** Home directory of the account inside; an empty one unless it lies in a granted directory. Default: `/tmp`. */
  readonly home?: string;
  /** `loopback`: programs may listen and connect among themselves. Default: `none`. */
  readonly network?: 'none' | 'loopback';
  /** Most that `/tmp` may hold; default 256 MiB. */
  readonly tmpBytes?: number;
  /** Most that `/dev/shm` may hold; default 64 MiB. */
  readonly sharedMemoryBytes?: number;
  /** Whom the programs run as where the runtime is root; default: who owns the first writable directory. */
  readonly identity?: { readonly uid: number; readonly gid: number };
}

export interface JailSpec {
  readonly class: ContainmentClass;
  /** Name shown in status and errors: 'harness', 'guest:<artifact>', … */
  readonly label: string;
  /** At `advisory` without effect. */
  readonly grants?: JailGrants;
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

export interface ProbeOptions extends ContainmentOptions {
  /**
   * The strongest class to ask about; default `sealed`. A caller that does not run its programs in stronger jails
   * must not report that it could.
   */
  readonly strongest?: ContainmentClass;
}

export interface ContainmentOptions {
  /** Path of the warden; default: the platform package, then the workspace build. */
  readonly wardenPath?: string;
}
