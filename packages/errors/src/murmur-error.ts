import type { ErrorCondition } from './condition.js';
import { type Diagnostic, diagnose } from './diagnose.js';

// Set on every instance, so that an error stays recognisable when two copies of this package are loaded.
const BRAND = Symbol.for('murmur.error');

/**
 * A failure that a person can meet: one condition of the catalog. `message` is the catalog's text for
 * it, and `cause` keeps what led to it.
 */
export class MurmurError extends Error {
  readonly condition: ErrorCondition;
  readonly [BRAND] = true;

  constructor(condition: ErrorCondition, options?: { readonly cause?: unknown }) {
    super(diagnose(condition).message, options);
    this.name = 'MurmurError';
    this.condition = condition;
  }

  /** The stable code, after any remapping. */
  get code(): string {
    return this.diagnostic.code;
  }

  /** The texts that are shown for this error. */
  get diagnostic(): Diagnostic {
    return diagnose(this.condition);
  }
}

/** Whether a thrown value is a catalogued failure and not a programmer's fault. */
export function isMurmurError(error: unknown): error is MurmurError {
  return typeof error === 'object' && error !== null && (error as { [BRAND]?: unknown })[BRAND] === true;
}
