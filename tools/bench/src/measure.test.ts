import { describe, expect, it } from 'vitest';
import { median, pairedRuns } from './measure.js';
import { formatTable, keepsBudget } from './table.js';
import type { BenchRow } from './types.js';

describe('median', () => {
  it.each([
    [[3, 1, 2], 2],
    [[4, 1, 3, 2], 2.5],
    [[7], 7],
    [[], Number.NaN],
  ])('%j', (values, middle) => {
    expect(median(values)).toBe(middle);
  });
});

it('pairs runs: alternately, the order swapped, the first round not counted', async () => {
  const order: string[] = [];
  const action = (name: string, results: number[]) => async () => {
    order.push(name);
    return results.shift();
  };
  const result = await pairedRuns(action('a', [1000, 20, 40, 60]), action('b', [1, 10, 10, 20]), 3);
  expect(order.join('')).toBe('abbaabba');
  expect(result).toEqual({ firstMs: 40, secondMs: 10, ratio: 3 });
});

it('tells kept budgets from broken ones', () => {
  const row = (ratio: number | null, budget: BenchRow['budget']): BenchRow => ({
    what: 'w',
    measured: 'm',
    against: 'a',
    ratio,
    budget,
  });
  expect(keepsBudget(row(2, { kind: 'at-most', ratio: 2 }))).toBe(true);
  expect(keepsBudget(row(2.1, { kind: 'at-most', ratio: 2 }))).toBe(false);
  expect(keepsBudget(row(0.9, { kind: 'at-least', ratio: 1 }))).toBe(false);
  expect(keepsBudget(row(1, null))).toBeNull();
  const table = formatTable([
    row(1.5, { kind: 'at-most', ratio: 2 }),
    row(3, { kind: 'at-most', ratio: 2 }),
    row(null, null),
  ]);
  expect(table.split('\n')).toEqual([
    'what  measured  against  ratio   budget',
    'w     m         a        × 1.50  ≤ 2     kept',
    'w     m         a        × 3.00  ≤ 2     BROKEN',
    'w     m         a',
  ]);
});
