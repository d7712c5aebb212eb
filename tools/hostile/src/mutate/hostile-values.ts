// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are what is tried
import type { Random } from '../random.js';

/** Texts that readers have stumbled over: names of prototypes, controls, halves of characters, paths, patterns. */
export const hostileTexts: readonly string[] = [
  '',
  ' ',
  '.',
  '..',
  '../../etc/passwd',
  '/etc/passwd',
  '~/.ssh',
  'C:\\windows',
  'a\\b',
  'a/b',
  'a//b',
  'a\0b',
  '\u001b[2J\u001b]0;title\u0007',
  'line\nbreak',
  'carriage\rreturn',
  '\u202egnol',
  '\ufeff',
  '\ud800',
  'x\udc00y',
  '\u0000',
  '\u2028',
  'é',
  'e\u0301',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '*',
  '**',
  '*.example.org',
  '$HOME',
  '${HOME}',
  '${}',
  '${A}${B}',
  '%00',
  '1.10',
  '1e999',
  '0x10',
  '0o17',
  '.nan',
  '-0',
  'null',
  '~',
  'yes',
  'on',
  'true',
  '2024-01-01',
  '<<',
  '&a',
  '*a',
  '!!js/function',
  '{}',
  '[]',
  '[::1]:80',
  'http://user:pass@host:99999/',
  'example.org:0',
  '256.256.256.256',
  'xn--a',
  'a.'.repeat(130),
  'x'.repeat(300),
  'x'.repeat(70_000),
];

export const hostileNumbers: readonly number[] = [
  0,
  -0,
  1,
  -1,
  0.1,
  1.5,
  2 ** 31,
  2 ** 32,
  -(2 ** 31),
  2 ** 53 - 1,
  2 ** 53,
  2 ** 64,
  1e21,
  1e308,
  Number.MIN_VALUE,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
];

/** A list in a list, so many levels deep. */
export function nested(levels: number, asObject = false): unknown {
  let value: unknown = 'bottom';
  for (let level = 0; level < levels; level += 1) value = asObject ? { a: value } : [value];
  return value;
}

/** Any value of any kind; small ones most of the time. */
export function hostileValue(random: Random): unknown {
  switch (random.int(12)) {
    case 0:
      return null;
    case 1:
      return random.oneIn(2);
    case 2:
    case 3:
      return random.pick(hostileNumbers);
    case 4:
      return [];
    case 5:
      return {};
    case 6:
      return Array.from({ length: random.int(4) }, () => random.pick(hostileTexts.slice(0, -1)));
    case 7:
      return { [random.pick(hostileTexts.slice(0, -2))]: random.pick(hostileNumbers) };
    case 8:
      return nested(random.int(8) === 0 ? 100 : random.int(6), random.oneIn(2));
    default:
      return random.oneIn(40) ? random.pick(hostileTexts) : random.pick(hostileTexts.slice(0, -1));
  }
}
