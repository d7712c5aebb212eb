import { describe, expect, test } from 'vitest';
import { createQuotaWindows, quotaWindowFields } from './quota.js';

describe('which windows are accepted', () => {
  test.each([
    ['five-hour', undefined, true],
    ['5', 0, true],
    ['a'.repeat(64), 1, true],
    ['a'.repeat(65), undefined, false],
    ['', undefined, false],
    ['-a', undefined, false],
    ['Five', undefined, false],
    ['a b', undefined, false],
    ['a\n', undefined, false],
    ['a', 0.5, true],
    ['a', -0.001, false],
    ['a', 1.001, false],
    ['a', Number.NaN, false],
    ['a', Number.POSITIVE_INFINITY, false],
  ])('%j used %s: %s', (name, used, accepted) => {
    const windows = createQuotaWindows();
    const outcome = windows.apply([used === undefined ? { name } : { name, used }]);
    expect(outcome.changed).toBe(accepted);
    expect(outcome.refusals).toHaveLength(accepted ? 0 : 1);
    expect(windows.snapshot()).toHaveLength(accepted ? 1 : 0);
  });
});

test('a window replaces its namesake whole and leaves the others standing; the last of a report wins', () => {
  const windows = createQuotaWindows();
  windows.apply([
    { name: 'day', used: 0.2, resetsAt: 5, state: 'ok' },
    { name: 'week', used: 0.1 },
  ]);
  windows.apply([
    { name: 'day', used: 0.3 },
    { name: 'day', state: 'warning' },
  ]);
  expect(windows.snapshot()).toEqual([
    { name: 'day', state: 'warning' },
    { name: 'week', used: 0.1 },
  ]);
});

test('one bad window does not take the others with it', () => {
  const windows = createQuotaWindows();
  expect(windows.apply([{ name: 'BAD' }, { name: 'good' }])).toMatchObject({
    changed: true,
    refusals: [expect.stringContaining('BAD')],
  });
});

test('the number of windows is bounded', () => {
  const windows = createQuotaWindows();
  windows.apply(Array.from({ length: 200 }, (_, i) => ({ name: `w${i}` })));
  expect(windows.snapshot()).toHaveLength(64);
  expect(windows.apply([{ name: 'w3', used: 1 }]).changed).toBe(true);
});

test('absent members are absent in what is written', () => {
  expect(quotaWindowFields({ name: 'day' })).toEqual({ name: 'day' });
  expect(
    quotaWindowFields({ name: 'day', used: 0, resetsAt: 0, windowMinutes: 300, state: 'exhausted' }),
  ).toEqual({
    name: 'day',
    used: 0,
    resets_at: 0,
    window_minutes: 300,
    state: 'exhausted',
  });
});
