import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rules } from '../test/support.js';
import { canonicalRules, formatRule, listeningPorts, matcherOf, plainHttpPorts } from './rules.js';

describe('rules', () => {
  test('are brought into canonical form, each once', () => {
    const lines = [
      'EXAMPLE.com.',
      'example.com',
      'https://bücher.example',
      '[::FFFF:10.0.0.1]:8080',
      '[0:0::1]',
    ];
    expect(canonicalRules(rules(...lines)).map(formatRule)).toEqual([
      'example.com',
      'https://xn--bcher-kva.example',
      '10.0.0.1:8080',
      '[::1]',
    ]);
    expect(canonicalRules(rules('https://a', 'http://a')).map(({ port }) => port)).toEqual([443, 80]);
  });

  test.each([
    ...[{ host: '0x7f.1' }, { host: '127.1' }, { host: '' }, { host: '*.example.com' }, { host: '*' }],
    ...[{ host: 'a b' }, { host: 'fe80::1%eth0' }, { host: 'a', port: 0 }, { host: 'a', port: 65_536 }],
    ...[{ host: 'a', port: 1.5 }, { host: 'a', port: Number.NaN }, { host: '[::1]' }, { host: 'a:80' }],
  ])('%j is refused', (parts) => {
    expect(() => canonicalRules([{ scheme: null, port: null, ...parts }])).toThrow(
      expect.objectContaining({ code: 'E-CAP-001' }),
    );
  });

  test('match exactly', () => {
    const match = matcherOf(canonicalRules(rules('a.example:8080', 'https://b.example', 'c.example')));
    const allowed = (host: string, port: number | null) => match(host, port) !== null;
    expect(allowed('a.example', 8080)).toBe(true);
    expect(allowed('a.example', 8081)).toBe(false);
    expect(allowed('a.example', null)).toBe(true);
    expect(allowed('b.example', 443)).toBe(true);
    expect(allowed('b.example', 80)).toBe(false);
    expect(allowed('c.example', 1)).toBe(true);
    for (const host of ['x.a.example', 'example', 'a.example.', 'A.example', 'xa.example', '', '__proto__']) {
      expect([host, allowed(host, 8080)]).toEqual([host, false]);
    }
  });

  test('no prefix, suffix or other host is ever matched', () => {
    const host = fc.domain();
    fc.assert(
      fc.property(fc.array(host, { maxLength: 5 }), host, fc.nat(65_535), (listed, asked, port) => {
        const canonical = canonicalRules(listed.map((each) => ({ scheme: null, host: each, port: null })));
        const match = matcherOf(canonical);
        expect(match(asked, port) !== null).toBe(listed.map((each) => each.toLowerCase()).includes(asked));
        for (const each of canonical) {
          for (const near of [`x${each.host}`, `x.${each.host}`, each.host.slice(1), `${each.host}.x`]) {
            expect(match(near, port) !== null).toBe(canonical.some((other) => other.host === near));
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  test('ports to listen on', () => {
    expect(listeningPorts([])).toEqual([]);
    expect(listeningPorts(rules('a'))).toEqual([80, 443]);
    expect(listeningPorts(rules('a:8080', 'https://b', '[::1]:22'))).toEqual([22, 443, 8080]);
    const ports = Array.from({ length: 16 }, (_, index) => `a:${1000 + index}`);
    expect(listeningPorts(rules(...ports, 'b:1000'))).toHaveLength(16);
    expect(() => listeningPorts(rules(...ports, 'b:999'))).toThrow(
      expect.objectContaining({ code: 'E-CAP-001', condition: expect.objectContaining({ entry: 'b:999' }) }),
    );
  });

  test('plain HTTP is expected on port 80 and where a rule says so', () => {
    const ports = (...lines: string[]) => [...plainHttpPorts(canonicalRules(rules(...lines)))];
    expect(ports()).toEqual([80]);
    expect(ports('http://a:8080', 'b:9090', 'https://c')).toEqual([80, 8080]);
    expect(ports('http://a:8443', 'https://b:8443')).toEqual([80]);
  });
});
