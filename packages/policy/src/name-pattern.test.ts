import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesPattern } from './name-pattern.js';

test.each([
  ['AWS_PROFILE', 'AWS_*', true],
  ['AWS_', 'AWS_*', true],
  ['MY_AWS_PROFILE', 'AWS_*', false],
  ['MY_API_KEY', '*_API_KEY', true],
  ['_API_KEY', '*_API_KEY', true],
  ['MY_API_KEYS', '*_API_KEY', false],
  ['my_api_key', '*_API_KEY', false],
  ['A.B', 'A?B', true],
  ['AB', 'A?B', false],
  ['A+', 'A+', true],
  ['AA', 'A+', false],
  ['', '*', true],
  ['', '', true],
  ['A', '', false],
  ['XAYBZ', '*A*B*', true],
  ['ABAB', '*AB', true],
])('%j and %j: %s', (name, pattern, matches) => {
  expect(matchesPattern(name, pattern)).toBe(matches);
});

test('agrees with a regular expression of the same meaning', () => {
  const letters = fc.string({ unit: fc.constantFrom('A', 'B', '_'), maxLength: 8 });
  const patterns = fc.string({ unit: fc.constantFrom('A', 'B', '_', '*', '?'), maxLength: 6 });
  fc.assert(
    fc.property(letters, patterns, (name, pattern) => {
      const expression = new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`);
      expect(matchesPattern(name, pattern)).toBe(expression.test(name));
    }),
  );
});

test('many stars do not multiply the work', () => {
  expect(matchesPattern('A'.repeat(5_000), `${'*A'.repeat(500)}*B`)).toBe(false);
});
