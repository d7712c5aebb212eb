import type { TestDriver } from './test-driver.js';
import type { TranscriptCase } from './transcript/case.js';

/** `P1` to `P17`; `plan` and `events` compare with what was reviewed by hand. */
export type PropertyId = `P${number}`;

/** One way in which a driver breaks a property. */
export interface Finding {
  readonly property: PropertyId | 'plan' | 'events';
  /** The case it was found on; null when it concerns none in particular. */
  readonly case: string | null;
  /** What is wrong, in one sentence. */
  readonly problem: string;
  /** The smallest input that was found to show it, as JSON; null when the case itself does. */
  readonly counterexample: unknown;
}

/** How thoroughly a property is tried; the same numbers try the same inputs. */
export interface PropertyOptions {
  readonly seed: number;
  /** Generated inputs of a property, over all cases together; what can be enumerated is tried besides. */
  readonly runs: number;
  /** How long a call on a recording may take, milliseconds; default 1000. Only P16 asks. */
  readonly callLimitMs?: number;
}

/** One rule that every driver keeps. Implements "Properties" of `docs/spec/driver-testkit.md`. */
export interface Property {
  readonly id: PropertyId;
  readonly name: string;
  /** The rule in full. */
  readonly statement: string;
  /** Tries it; empty: nothing was found. */
  check(
    driver: TestDriver,
    cases: readonly TranscriptCase[],
    options: PropertyOptions,
  ): Promise<readonly Finding[]>;
}
