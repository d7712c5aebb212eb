/** One line of the table: a figure, what it is held against, and the ratio of the two. */
export interface BenchRow {
  readonly what: string;
  /** The figure with its unit. */
  readonly measured: string;
  /** The peer or bound it is compared with. */
  readonly against: string;
  /** measured ÷ against; null when the row only informs. */
  readonly ratio: number | null;
  /** `at-most` or `at-least` this ratio; null when there is no budget. */
  readonly budget: { readonly kind: 'at-most' | 'at-least'; readonly ratio: number } | null;
}

export interface BenchContext {
  /** The clone. */
  readonly root: string;
  /** A directory of this bench's own, removed afterwards. */
  readonly scratch: string;
  /** Divides rounds and counts, for a quick look. */
  readonly quick: boolean;
  progress(text: string): void;
}

export interface Bench {
  readonly name: string;
  readonly title: string;
  run(context: BenchContext): Promise<readonly BenchRow[]>;
}
