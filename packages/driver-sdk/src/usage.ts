import type { Usage } from './generated/contract.js';

const MEMBERS = ['input', 'output', 'cacheRead', 'cacheCreation', 'thinking'] as const;

/** Totals over a harness run, as the contract wants them. Absent members were never counted; they are not 0. */
export interface UsageTotals {
  /** Takes one report and returns the totals to send. */
  take(report: Usage): Usage;
  totals(): Usage;
}

/** For harnesses that report each step or turn on its own: reports are added up. */
export function createRunningTotals(): UsageTotals {
  return createTotals((held, reported) => held + reported);
}

/**
 * For harnesses that already report totals: the latest figure stands, an absent member keeps the last one, and a
 * figure that shrinks (a harness recounting after it compacted) does not take anything back.
 */
export function createCumulativeView(): UsageTotals {
  return createTotals((held, reported) => Math.max(held, reported));
}

function createTotals(combine: (held: number, reported: number) => number): UsageTotals {
  const held: { -readonly [member in keyof Usage]: number | undefined } = {};
  return {
    take(report) {
      for (const member of MEMBERS) {
        const reported = report[member];
        if (reported !== undefined)
          held[member] = Math.min(combine(held[member] ?? 0, reported), Number.MAX_SAFE_INTEGER);
      }
      return { ...held };
    },
    totals: () => ({ ...held }),
  };
}

/**
 * Prompt tokens outside the cache, for harnesses that count cached tokens inside their input: the parts are
 * subtracted, never below 0. Absent input stays absent; an absent part subtracts nothing.
 */
export function inputWithoutCache(
  input: number | undefined,
  ...cached: readonly (number | undefined)[]
): number | undefined {
  if (input === undefined) return undefined;
  return Math.max(
    0,
    cached.reduce<number>((left, part) => left - (part ?? 0), input),
  );
}
