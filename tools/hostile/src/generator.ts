import type { Random } from './random.js';

/** What generators find on the machine. */
export interface Surroundings {
  /** Root of the repository, whose built parts are fed. */
  readonly root: string;
  /** A directory of the generator's own, empty at its start and removed after it. */
  readonly scratch: string;
}

/**
 * What a reader did with one input: a code, or a word for an input that was taken (`read`, `completed`). A fault,
 * anything else that happens, is thrown.
 */
export type Outcome = string;

/** One generator, ready to make and try cases. */
export interface OpenGenerator extends AsyncDisposable {
  /** Makes the case that `random` leads to and tries it. @throws whatever no reader may throw */
  tryCase(random: Random): Promise<Outcome> | Outcome;
}

/** A maker of hostile inputs for one reader. */
export interface Generator {
  readonly name: string;
  /** What is fed to whom, in one line. */
  readonly title: string;
  /**
   * How many of the asked-for cases this one runs: 1 for all. Generators that start processes run a sample, so that
   * a whole run stays a matter of minutes.
   */
  readonly share: number;
  /** Longest that one case may take, milliseconds; above it is a hang. */
  readonly caseLimitMs: number;
  open(surroundings: Surroundings): Promise<OpenGenerator>;
}
