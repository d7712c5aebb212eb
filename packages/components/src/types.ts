import type { Jail } from '@murmur/containment';

/** Names read from a binary, before anything is instantiated. */
export interface ComponentNames {
  /** `unreadable`: neither a component nor a core module that can be read. */
  readonly kind: 'component' | 'core' | 'unreadable';
  /** Full names with versions, as written (`murmur:driver/process@0.6.0`, `wasi:io/streams@0.2.6`). */
  readonly imports: readonly string[];
  readonly exports: readonly string[];
}

export interface ComponentLimits {
  /** Cap on every defined linear memory, bytes. Default 536870912. */
  readonly memoryBytes?: number;
  readonly tableElements?: number;
  /** Core instances of one component. Default 1000. */
  readonly instances?: number;
}

/** A component that was checked and transpiled; its compiled form lies in the cache. */
export interface PreparedComponent {
  readonly sha256: string;
  readonly names: ComponentNames;
  /** Directory of the compiled form. */
  readonly directory: string;
  readonly fromCache: boolean;
  /** The caps its core modules were rewritten with. */
  readonly limits: Required<ComponentLimits>;
}

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

export interface Guest extends AsyncDisposable {
  readonly pid: number;
  /**
   * Calls an exported function: `call('murmur:driver/process@0.6.0', 'parse', [lines], { deadlineMs: 30000 })`.
   * Values follow jco's JavaScript shapes; bigint and Uint8Array cross unharmed. One call at a time (queued).
   * @throws ComponentFailure (the guest process is then gone) | GuestRefusal (the guest lives on)
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

export interface ComponentRuntime {
  readNames(bytes: Uint8Array): ComponentNames;
  /** hash → magic → transpile child → imports against `allowImports` → names → memory cap → cache. Fresh or from the cache. */
  prepare(
    bytes: Uint8Array,
    options: {
      readonly allowImports: (name: string) => boolean;
      readonly limits?: ComponentLimits;
      readonly timeoutMs?: number;
    },
  ): Promise<PreparedComponent>;
  /** Starts one guest process with one instance in it; `label` names it in errors and process lists. */
  start(
    component: PreparedComponent,
    options: {
      readonly label: string;
      readonly limits?: ComponentLimits;
      readonly env?: Readonly<Record<string, string>>;
      readonly startTimeoutMs?: number;
    },
  ): Promise<Guest>;
}

export interface ComponentRuntimeOptions {
  /** Where compiled forms are kept (0700). */
  readonly cacheDirectory: string;
  /** Scratch for transpile children; default: below the cache directory. */
  readonly openJail: (label: string) => Promise<Jail>;
  /** Node binary for the children; default process.execPath. */
  readonly nodePath?: string;
  /** Files run inside the children; default: beside this module. Set when the host program is bundled. */
  readonly guestEntry?: string;
  readonly transpileEntry?: string;
}
