// The rules of @murmur/policy go in as they are, and both packages read a host the same way.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatNetworkRule, type NetworkRule, parseNetworkEntry } from '../../policy/src/network-rule.js';
import type { EgressRule } from '../src/index.js';
import { canonicalRules, formatRule } from '../src/rules.js';

const assignable: (rule: NetworkRule) => EgressRule = (rule) => rule;

test('what policy has read stays as it is', () => {
  const piece = fc.constantFrom(
    ...'aAxX019.-_:[]%/',
    'http://',
    'https://',
    '::',
    'ffff:',
    '127.0.0.1',
    'ü',
    '。',
    ':80',
  );
  const entry = fc.oneof(
    fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
    fc.domain(),
    fc.ipV4(),
    fc.ipV6().map((address) => `[${address}]:443`),
  );
  let read = 0;
  fc.assert(
    fc.property(entry, (text) => {
      const { rule } = parseNetworkEntry(text);
      if (rule === null) return;
      read += 1;
      const [canonical] = canonicalRules([assignable(rule)]);
      expect(canonical).toMatchObject({ scheme: rule.scheme, host: rule.host, port: rule.port });
      expect(canonical?.kind).toBe(rule.kind === 'name' ? 'name' : 'address');
      if (canonical !== undefined) expect(formatRule(canonical)).toBe(formatNetworkRule(rule));
    }),
    { numRuns: 5_000 },
  );
  expect(read).toBeGreaterThan(1_000);
});
