import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalAsciiName, canonicalName } from './host-name.js';

describe('names', () => {
  test.each([
    ['example.com', 'example.com'],
    ['EXAMPLE.Com.', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['bücher。example', 'xn--bcher-kva.example'],
    ['ｅｘａｍｐｌｅ.com', 'example.com'],
    ['_srv.example.com', '_srv.example.com'],
    ['localhost', 'localhost'],
    ['1password.com', '1password.com'],
  ])('%s is %s', (text, name) => {
    expect(canonicalName(text)).toBe(name);
  });

  test.each([
    ...[
      '',
      '.',
      '..',
      'a..b',
      '.a',
      'a..',
      '*.example.com',
      'a b',
      'a/b',
      'a\\b',
      'a@b',
      'a?b',
      'a#b',
      'a%2eb',
    ],
    ...[
      'a:80',
      '[::1]',
      'a\0b',
      'a\nb',
      'a\tb',
      'a\u200bb',
      'a\u00adb',
      '-a.b',
      'a-.b',
      'ex!ample.com',
      "a'b",
    ],
    ...['127.0.0.1', '127.1', '0x7f.1', '2130706433', '１２７.0.0.1', 'a.1', 'a.0x1', 'example.0x'],
    ...[`${'a'.repeat(64)}.b`, 'xn--a.example', `${'a.'.repeat(130)}b`],
  ])('%j is none', (text) => {
    expect(canonicalName(text)).toBeNull();
  });

  test('letters that fold into ASCII elsewhere do not on the wire', () => {
    expect('\u212A'.toLowerCase()).toBe('k');
    expect(canonicalAsciiName('\u212A.example')).toBeNull();
    expect(canonicalAsciiName('ſ.example')).toBeNull();
  });

  test('the canonical form is a fixed point', () => {
    const text = fc.oneof(
      fc.domain(),
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.string({ unit: fc.constantFrom(...'aAzZ019.-_xüß。％%ｅ\u200d\u212A'), maxLength: 20 }),
    );
    fc.assert(
      fc.property(text, (each) => {
        const name = canonicalName(each);
        if (name === null) return;
        expect(canonicalName(name)).toBe(name);
        expect(canonicalAsciiName(name)).toBe(name);
        expect(domainToASCII(name)).toBe(name);
        expect(canonicalName(`${name}.`)).toBe(name);
        expect(canonicalName(name.toUpperCase())).toBe(name);
      }),
      { numRuns: 20_000 },
    );
  });
});
