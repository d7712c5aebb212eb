import { performance } from 'node:perf_hooks';

/** The middle value; the mean of the middle two. NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
  return (lower + upper) / 2;
}

export interface Paired {
  /** Medians, milliseconds. */
  readonly firstMs: number;
  readonly secondMs: number;
  /** Median of the rounds' own first ÷ second: what other load slows down, it slows down on both sides. */
  readonly ratio: number;
}

export type TimedAction = () => Promise<unknown>;

/**
 * Runs two actions alternately, the order swapped every round, after one round that does not count. An action that
 * answers with a number has measured itself (milliseconds).
 */
export async function pairedRuns(first: TimedAction, second: TimedAction, rounds: number): Promise<Paired> {
  const firstMs: number[] = [];
  const secondMs: number[] = [];
  const ratios: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const swapped = round % 2 === 0;
    const early = await timed(swapped ? second : first);
    const late = await timed(swapped ? first : second);
    if (round < 0) continue;
    const [one, two] = swapped ? [late, early] : [early, late];
    firstMs.push(one);
    secondMs.push(two);
    ratios.push(one / two);
  }
  return { firstMs: median(firstMs), secondMs: median(secondMs), ratio: median(ratios) };
}

/** Milliseconds that an action took, or the number it answered with. */
export async function timed(action: TimedAction): Promise<number> {
  const start = performance.now();
  const answer = await action();
  return typeof answer === 'number' ? answer : performance.now() - start;
}

export const inMs = (ms: number): string => `${ms.toFixed(ms < 10 ? 2 : 1)} ms`;
