import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  coversNetworkRule,
  formatNetworkRule,
  type NetworkRule,
  networkEntryProblem,
  parseNetworkEntry,
} from './network-rule.js';

function rule(entry: string): NetworkRule {
  const reading = parseNetworkEntry(entry);
  if (reading.rule === null) throw new Error(`${entry}: ${reading.problem}`);
  return reading.rule;
}

describe('canonical form', () => {
  test.each([
    ['example.org', 'example.org'],
    ['EXAMPLE.Org', 'example.org'],
    ['example.org.', 'example.org'],
    ['example.org:8443', 'example.org:8443'],
    ['https://example.org', 'https://example.org'],
    ['HTTPS://Example.ORG:443', 'https://example.org'],
    ['http://example.org:80', 'http://example.org'],
    ['http://example.org:443', 'http://example.org:443'],
    ['localhost:3000', 'localhost:3000'],
    ['my_service', 'my_service'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['ｅｘａｍｐｌｅ.org', 'example.org'],
    ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
    ['192.0.2.1', '192.0.2.1'],
    ['[2001:DB8:0:0::1]', '[2001:db8::1]'],
    ['[2001:db8::1]:8080', '[2001:db8::1]:8080'],
    ['https://[::1]', 'https://[::1]'],
    ['[::ffff:192.0.2.1]', '192.0.2.1'],
    ['[::FFFF:c000:201]:80', '192.0.2.1:80'],
  ])('%s is %s', (entry, canonical) => {
    expect(formatNetworkRule(rule(entry))).toBe(canonical);
  });
});

describe('what two readers could take in two ways is refused', () => {
  test.each([
    ['', /empty/],
    ['ftp://example.org', /scheme is 'ftp'/],
    ['wss://example.org', /scheme is 'wss'/],
    ['https://', /no host/],
    [':443', /no host/],
    ['https://example.org/', /path/],
    ['https://example.org/v1', /path/],
    ['example.org/v1', /path/],
    ['https:\\\\example.org', /path/],
    ['//example.org', /path/],
    ['example.org?x', /query/],
    ['example.org#x', /fragment/],
    ['https://user@example.org', /user name/],
    ['https://good.example@evil.example', /user name/],
    ['example.org:', /port/],
    ['example.org:0', /port/],
    ['example.org:080', /port/],
    ['example.org:65536', /port/],
    ['example.org:99999999999', /port/],
    ['example.org:443x', /port/],
    ['example.org:+443', /port/],
    ['*.example.org', /wildcard/],
    ['*', /wildcard/],
    ['xn--a.example', /not a valid name/],
    ['xn--a-.example', /not a valid name/],
    ['ex%61mple.org', /percent/],
    ['exa mple.org', /space/],
    ['example.org\n', /space or an invisible/],
    ['exam\u0000ple.org', /invisible/],
    ['exam\u200bple.org', /invisible/],
    ['exam\u202eple.org', /invisible/],
    ['example..org', /empty label/],
    ['example.org..', /empty label/],
    ['.example.org', /empty label/],
    ['-example.org', /label/],
    [`${'a'.repeat(64)}.org`, /63/],
    [`${'a.'.repeat(127)}org`, /253|not a valid/],
    ['127.1', /number/],
    ['2130706433', /number/],
    ['0x7f000001', /number/],
    ['0x7f.0.0.1', /number/],
    ['0177.0.0.1', /number/],
    ['127.0.0.1.', /number/],
    ['256.0.0.1', /valid name|number/],
    ['1.2.3.4.5', /valid name|number/],
    ['１２７.0.0.1', /number/],
    ['::1', /brackets/],
    ['2001:db8::1', /brackets/],
    ['[::1', /brackets/],
    ['[]', /brackets/],
    ['[fe80::1%eth0]', /brackets/],
    ['[::1]x', /brackets/],
    ['[1.2.3.4]', /IPv6/],
    ['[::gggg]', /IPv6/],
    ['\u0024{HOST}', /label|valid name/],
  ])('%j', (entry, problem) => {
    expect(networkEntryProblem(entry)).toMatch(problem);
  });
});

const label = fc.stringMatching(/^[a-z0-9_]([a-z0-9_-]{0,10}[a-z0-9_])?$/);
const host = fc.oneof(
  fc
    .tuple(fc.array(label, { maxLength: 3 }), fc.stringMatching(/^[a-z]{2,8}$/))
    .map(([labels, last]) => [...labels, last].join('.')),
  fc.ipV4(),
  fc.ipV6().map((address) => `[${address}]`),
);
const entry = fc
  .tuple(
    fc.constantFrom('', 'http://', 'https://', 'HTTPS://'),
    host,
    fc.constantFrom('', ':80', ':443', ':8080', ':65535'),
  )
  .map((parts) => parts.join(''));

test('the canonical form is a fixed point, and letter case and a final dot never matter', () => {
  fc.assert(
    fc.property(entry, (text) => {
      const reading = parseNetworkEntry(text);
      if (reading.rule === null) return; // the IDN rules refuse some labels, such as 'ab--cd'
      const canonical = formatNetworkRule(reading.rule);
      expect(rule(canonical)).toEqual(reading.rule);
      expect(formatNetworkRule(rule(canonical))).toBe(canonical);
      expect(parseNetworkEntry(text.toUpperCase())).toEqual(reading);
    }),
    { numRuns: 500 },
  );
});

test('whatever is accepted names exactly the host that a URL parser reads', () => {
  const hostile = fc.string({
    unit: fc.constantFrom(
      'a',
      'B',
      '.',
      ':',
      '/',
      '@',
      '[',
      ']',
      '%',
      '0',
      '1',
      'x',
      '\\',
      '?',
      '#',
      'ü',
      '。',
      '-',
      '\0',
      ' ',
    ),
    maxLength: 14,
  });
  fc.assert(
    fc.property(
      fc.oneof(
        hostile,
        hostile.map((text) => `http://${text}`),
      ),
      (text) => {
        const { rule: read } = parseNetworkEntry(text);
        if (read === null) return;
        const url = new URL(text.startsWith('http://') ? text : `http://${text}`);
        const expected = url.hostname.replace(/\.$/, '').replace(/^\[|\]$/g, '');
        if (!expected.startsWith('::ffff:')) expect(read.host).toBe(expected);
        expect([url.username, url.password, url.search, url.hash, url.pathname]).toEqual([
          '',
          '',
          '',
          '',
          '/',
        ]);
        expect(read.port ?? 80).toBe(url.port === '' ? 80 : Number(url.port));
      },
    ),
    { numRuns: 2000 },
  );
});

describe('covering', () => {
  test.each([
    ['example.org', 'example.org', true],
    ['example.org', 'https://example.org:8443', true],
    ['example.org', 'example.org:22', true],
    ['example.org:443', 'https://example.org', true],
    ['example.org:443', 'example.org', false],
    ['example.org:443', 'https://example.org:8443', false],
    ['https://example.org', 'https://EXAMPLE.org:443', true],
    ['https://example.org', 'example.org', false],
    ['https://example.org', 'example.org:443', false],
    ['https://example.org', 'http://example.org:443', false],
    ['example.org', 'evil.example.org', false],
    ['example.org', 'example.org.evil', false],
    ['[::ffff:192.0.2.1]', '192.0.2.1', true],
  ])('%s covers %s: %s', (ceiling, wanted, covered) => {
    expect(coversNetworkRule(rule(ceiling), rule(wanted))).toBe(covered);
  });
});
