import type { ComponentFailureKind } from './types.js';

/**
 * Every way a component can fail short of a refusal of its own (docs/spec/components.md, "Failures").
 * It carries no code: a caller maps `kind` to the catalog entry of the role the component plays.
 */
export class ComponentFailure extends Error {
  override readonly name = 'ComponentFailure';
  /** Which check or step failed. */
  readonly kind: ComponentFailureKind;
  /** Engine or check text, fit for a person: one paragraph, no control characters. */
  readonly detail: string;

  constructor(kind: ComponentFailureKind, detail: string, options?: ErrorOptions) {
    super(`${kind}: ${detail}`, options);
    this.kind = kind;
    this.detail = detail;
  }
}

/** The `err` payload of an exported `result<T, E>` function. The guest lives on. */
export class GuestRefusal extends Error {
  override readonly name = 'GuestRefusal';
  /** The payload in jco's JavaScript shape; for `result<T, string>` a string. */
  readonly payload: unknown;

  constructor(payload: unknown) {
    super(typeof payload === 'string' ? payload : 'the component refused');
    this.payload = payload;
  }
}
