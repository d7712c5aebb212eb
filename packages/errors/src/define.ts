import type { Fields, ValuesOf } from './fields.js';

/** When a condition is met: what exists on disk by then follows from it. */
export type Stage = 'parse' | 'staging-before-workdir' | 'staging' | 'launch' | 'turn' | 'shutdown' | 'any';

/** A remedy is a text, a text made from the fields, or an explicit none. */
type Remedy<F extends Fields> = string | null | ((fields: ValuesOf<F>) => string | null);

/** One condition of the catalog. `variant` is null where the code alone names it. */
export interface ErrorEntry<V extends string | null, C extends string, F extends Fields> {
  readonly variant: V;
  readonly code: C;
  readonly stage: Stage;
  readonly fields: F;
  /** One line for the index. */
  readonly summary: string;
  readonly message: (fields: ValuesOf<F>) => string;
  readonly remedy: Remedy<F>;
  /** What `mur explain` adds: when it is met, why it is refused, how to go on. */
  readonly explanation: string;
  /** Fields that are carried for programs and deliberately not shown. */
  readonly unshown?: readonly (keyof F & string)[];
  /** The number is ours until an established one is known. */
  readonly provisional?: boolean;
}

/** Who speaks in a warning's frame; null for warnings that carry no tag. */
type Emitter = 'capsule-runtime' | 'murmur-artifact' | null;

/** Where a warning's link goes: after the text, on its own line, or after the fix (`mur build`). */
type LinkPlace = 'inline' | 'own line' | 'after the fix';

/** One warning of the catalog. */
export interface WarningEntry<C extends string, F extends Fields> {
  readonly code: C;
  readonly emitter: Emitter;
  readonly link: LinkPlace;
  readonly stage: Stage;
  readonly fields: F;
  readonly summary: string;
  readonly message: (fields: ValuesOf<F>) => string;
  readonly remedy: Remedy<F>;
  readonly explanation: string;
  readonly unshown?: readonly (keyof F & string)[];
  readonly provisional?: boolean;
}

// The functions below only carry types: they keep codes and variants literal and check each text
// against its own fields, so that an entry without a message or with a misspelt field does not compile.

export function errorEntry<const V extends string | null, const C extends string, const F extends Fields>(
  entry: ErrorEntry<V, C, F>,
): ErrorEntry<V, C, F> {
  return entry;
}

export function warningEntry<const C extends string, const F extends Fields>(
  entry: Omit<WarningEntry<C, F>, 'emitter' | 'link' | 'stage'> &
    Partial<Pick<WarningEntry<C, F>, 'emitter' | 'link' | 'stage'>>,
): WarningEntry<C, F> {
  return { emitter: 'capsule-runtime', link: 'inline', stage: 'launch', ...entry };
}
