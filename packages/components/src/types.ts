import type { Jail } from '@murmur/containment';

/** Names read from a binary, before anything is instantiated (docs/spec/components.md, "Names"). */
export interface ComponentNames {
  /** `core`: a core module. `unreadable`: neither a component nor a core module that can be read. Both have no names. */
  readonly kind: 'component' | 'core' | 'unreadable';
  /** Full names with versions, as written (`wasi:io/streams@0.2.6`), in order. */
  readonly imports: readonly string[];
  /** Full names with versions, as written (`murmur:driver/process@0.6.0`), in order. */
  readonly exports: readonly string[];
}

/** Caps on what one component may hold (docs/spec/components.md, "Preparing"). */
export interface ComponentLimits {
  /** Cap on each linear memory that is defined, bytes, in whole pages of 64 KiB. Default 536870912. */
  readonly memoryBytes?: number;
  /** Cap on each table that is defined. Default 100000. */
  readonly tableElements?: number;
  /** Core instances of one component. Default 1000. */
  readonly instances?: number;
}

/** A component that was checked and transpiled; its compiled form lies in the cache. */
export interface PreparedComponent {
  /** SHA-256 of the component, hexadecimal. */
  readonly sha256: string;
  readonly names: ComponentNames;
  /** Directory of the compiled form. */
  readonly directory: string;
  /** False when this call made the compiled form. */
  readonly fromCache: boolean;
  /** The caps its core modules were rewritten with. */
  readonly limits: Required<ComponentLimits>;
}

/** Which check or step failed; the README says when each occurs (docs/spec/components.md, "Failures"). */
export type ComponentFailureKind =
  | 'not-a-component'
  | 'invalid'
  | 'unsafe-name'
  | 'import-not-granted'
  | 'memory'
  | 'transpile-timeout'
  | 'transpile-crash'
  | 'instantiate'
  | 'trap'
  | 'deadline'
  | 'out-of-memory'
  | 'exited'
  | 'protocol';

/** One instance in a process of its own (docs/spec/components.md, "Guest processes"). */
export interface Guest extends AsyncDisposable {
  /** Process id of the guest process. */
  readonly pid: number;
  /**
   * Calls an exported function: `call('murmur:driver/process@0.6.0', 'parse', [lines], { deadlineMs: 30000 })`.
   * `instance` is `''` for a function at the root; `func` is the WIT name. Values follow jco's JavaScript shapes;
   * bigint and typed arrays cross unharmed. One call at a time, others wait; `deadlineMs` counts from the moment this
   * call is sent.
   *
   * @throws ComponentFailure (the guest process is then gone) | GuestRefusal (the guest lives on) | RangeError when the
   *   arguments take more than 64 MiB (nothing was sent)
   */
  call(
    instance: string,
    func: string,
    args: readonly unknown[],
    options: { readonly deadlineMs: number },
  ): Promise<unknown>;
  /** Kills the process and all it started; resolves when they are gone. Disposing does the same. */
  kill(): Promise<void>;
}

/** Checks, compiles and runs components over one cache. */
export interface ComponentRuntime {
  /** Reads the names of a component from its bytes. Never throws. */
  readNames(bytes: Uint8Array): ComponentNames;
  /**
   * Checks a component and finds or makes its compiled form (docs/spec/components.md, "Preparing"). `allowImports`
   * judges each import by its full name; `timeoutMs` bounds the transpiler, default 60000.
   *
   * @throws ComponentFailure | MurmurError `E-IO-001`, `E-IO-002`, `E-IO-003`, `E-RUN-904` when the cache cannot be
   *   used, and what `openJail` and its `spawn` throw
   */
  prepare(
    bytes: Uint8Array,
    options: {
      readonly allowImports: (name: string) => boolean;
      readonly limits?: ComponentLimits;
      readonly timeoutMs?: number;
    },
  ): Promise<PreparedComponent>;
  /**
   * Starts one guest process with one instance in it. `label` names it in errors and process lists; `env` is its whole
   * environment, default empty; `limits` may be lower than those it was prepared with, never higher;
   * `startTimeoutMs`, default 30000, bounds the time until the instance stands.
   *
   * @throws as `prepare` does
   */
  start(
    component: PreparedComponent,
    options: {
      readonly label: string;
      readonly limits?: ComponentLimits;
      readonly env?: Readonly<Record<string, string>>;
      readonly startTimeoutMs?: number;
    },
  ): Promise<Guest>;
  /** A text kept with a prepared component under a name; null when there is none, or somebody else wrote it. */
  recall(component: PreparedComponent, name: string): Promise<string | null>;
  /** Keeps a text with a prepared component, so that a later process need not ask the component again. */
  remember(component: PreparedComponent, name: string, text: string): Promise<void>;
}

/** Guest processes that boot before it is known what they will run. */
export interface GuestsAhead {
  /**
   * Starts a guest process that waits for its component, so that it boots beside other work: the next `start` with this
   * label, no environment and the default memory takes it, and is told what went wrong with it. There is one
   * at a time. Disposing kills it unless it was taken.
   */
  startAhead(label: string): AsyncDisposable;
}

/** Where a runtime keeps compiled forms, and how it opens processes. */
export interface ComponentRuntimeOptions {
  /** Where compiled forms are kept; made with mode 0700 when it is missing. */
  readonly cacheDirectory: string;
  /** Opens a jail for one child: `transpile`, or `guest:` and the label. The runtime closes it. */
  readonly openJail: (label: string) => Promise<Jail>;
  /** Node binary for the children; default `process.execPath`. */
  readonly nodePath?: string;
  /** Program of a guest process; default: beside this module. Set when the host program is bundled. */
  readonly guestEntry?: string;
  /** Program of a transpiler; default: beside this module. Set when the host program is bundled. */
  readonly transpileEntry?: string;
}
