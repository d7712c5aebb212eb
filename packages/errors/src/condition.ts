import type { ErrorEntry, WarningEntry } from './define.js';
import type { errorEntries, warningEntries } from './entries/all.js';
import type { Fields, ValuesOf } from './fields.js';

/** Shows a mapped type as the plain object it stands for. */
type Plain<T> = { readonly [K in keyof T]: T[K] };

type ConditionOf<E> =
  E extends ErrorEntry<infer V, infer C, infer F>
    ? V extends string
      ? Plain<{ variant: V } & ValuesOf<F>>
      : Plain<{ variant: null; code: C } & ValuesOf<F>>
    : never;

type WarningOf<E> = E extends WarningEntry<infer C, infer F> ? Plain<{ code: C } & ValuesOf<F>> : never;

/**
 * What went wrong, as data: `variant` names the condition and the remaining fields are its own.
 * Where a code stands for one condition only, `variant` is null and `code` names it.
 */
export type ErrorCondition = ConditionOf<(typeof errorEntries)[number]>;

/** What a person should know although the command goes on, as data; `code` names it. */
export type WarningCondition = WarningOf<(typeof warningEntries)[number]>;

/** An entry whose own types are not known at this point. */
export type AnyErrorEntry = ErrorEntry<string | null, string, Fields>;
export type AnyWarningEntry = WarningEntry<string, Fields>;
