import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stripControl, stripToOneLine } from './strip-control.js';

test.each([
  ['colours', '\x1b[1;31mred\x1b[0m', 'red'],
  ['a one-byte introducer', '\x9b31mred', 'red'],
  ['a title', '\x1b]0;owned\x07text', 'text'],
  ['a link', '\x1b]8;;http://evil\x1b\\text\x1b]8;;\x1b\\', 'text'],
  ['the clipboard', '\x1b]52;c;ZXZpbA==\x07text', 'text'],
  ['a device string', '\x1bPpayload\x1b\\text', 'text'],
  ['an unfinished title keeps its text', '\x1b]0;rest of the message', '0;rest of the message'],
  ['a carriage return', 'safe\rforged', 'safe\nforged'],
  ['line ends', 'a\r\nb', 'a\nb'],
  ['backspace, bell, NUL, DEL', 'a\b\x07\0\x7fb', 'ab'],
  ['a direction override', 'exe.\u202efdp\u2066x', 'exe.fdpx'],
  ['invisible tags', 'a\u{e0041}b\ufeff', 'ab'],
  ['half a surrogate pair', 'a\ud800b', 'a\ufffdb'],
  ['ordinary text', 'Grüße\t😀 👩‍👩‍👧\n漢字', 'Grüße\t😀 👩‍👩‍👧\n漢字'],
])('%s', (_name, given, expected) => {
  expect(stripControl(given)).toBe(expected);
});

const hostile = fc.string({
  unit: fc.constantFrom(
    '\x1b',
    '[',
    ']',
    '0',
    ';',
    'm',
    '\x07',
    '\\',
    '\r',
    '\n',
    '\x9b',
    '\x9d',
    'P',
    '\u202e',
    '\ud800',
    'a',
    ' ',
  ),
  maxLength: 60,
});

test('leaves nothing that steers a terminal, and a second pass changes nothing', () => {
  fc.assert(
    fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' })), (text) => {
      const clean = stripControl(text);
      expect(clean).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
      expect(stripControl(clean)).toBe(clean);
      expect(stripToOneLine(text)).not.toMatch(/[\n\t]/);
    }),
  );
});

test('a long hostile text takes no more than linear work', () => {
  // Would not end within the test's time if a pattern backtracked over the whole rest each time.
  const text = '\x1b]'.repeat(200_000);
  expect(stripControl(text)).toBe('');
});
