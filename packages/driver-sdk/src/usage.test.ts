import fc from 'fast-check';
import { expect, test } from 'vitest';
import { usage as usageEvents } from './events.js';
import type { Usage } from './generated/contract.js';
import { createCumulativeView, createRunningTotals, inputWithoutCache } from './usage.js';

const count = fc.option(fc.nat(1_000_000), { nil: undefined });
const report: fc.Arbitrary<Usage> = fc.record({
  input: count,
  output: count,
  cacheRead: count,
  cacheCreation: count,
  thinking: count,
});
const members = ['input', 'output', 'cacheRead', 'cacheCreation', 'thinking'] as const;

test('absent is not 0: a member nobody reported stays absent, a reported 0 stays 0', () => {
  for (const create of [createRunningTotals, createCumulativeView]) {
    const totals = create();
    expect(totals.take({ output: 0 })).toEqual({ output: 0 });
    expect(totals.take({})).toEqual({ output: 0 });
    expect(totals.totals().input).toBeUndefined();
  }
  expect(usageEvents({})).toEqual([]);
  expect(usageEvents({ input: undefined, output: 0 })).toHaveLength(1);
});

test('running totals add up; a cumulative view keeps the highest figure', () => {
  fc.assert(
    fc.property(fc.array(report), (reports) => {
      const running = createRunningTotals();
      const view = createCumulativeView();
      for (const one of reports) {
        running.take(one);
        view.take(one);
      }
      for (const member of members) {
        const given = reports.flatMap((one) => one[member] ?? []);
        expect(running.totals()[member]).toBe(
          given.length === 0 ? undefined : given.reduce((sum, next) => sum + next, 0),
        );
        expect(view.totals()[member]).toBe(given.length === 0 ? undefined : Math.max(...given));
      }
    }),
  );
});

test('no member ever shrinks or disappears', () => {
  fc.assert(
    fc.property(fc.array(report), (reports) => {
      for (const totals of [createRunningTotals(), createCumulativeView()]) {
        let before: Usage = {};
        for (const one of reports) {
          const after = totals.take(one);
          for (const member of members) {
            const earlier = before[member];
            if (earlier !== undefined) expect(after[member]).toBeGreaterThanOrEqual(earlier);
          }
          before = after;
        }
      }
    }),
  );
});

test('cache is subtracted from input, never below 0, and absent input stays absent', () => {
  expect(inputWithoutCache(1020, 900, 0)).toBe(120);
  expect(inputWithoutCache(10, 900)).toBe(0);
  expect(inputWithoutCache(10, undefined)).toBe(10);
  expect(inputWithoutCache(undefined, 5)).toBeUndefined();
});
