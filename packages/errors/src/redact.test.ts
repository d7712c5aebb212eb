import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ErrorCondition, WarningCondition } from './condition.js';
import { allErrorEntries, allWarningEntries, diagnose, diagnoseWarning } from './diagnose.js';
import { REDACTED, redact } from './redact.js';

test.each([
  ['every occurrence', 'k=abc, again abc', ['abc'], 'k=[redacted], again [redacted]'],
  ['the longer of two', 'abcdef', ['abc', 'abcdef'], '[redacted]'],
  ['overlapping ones whole', 'abcdef', ['abcd', 'cdef'], '[redacted]'],
  ['one that overlaps itself', 'xababax', ['aba'], 'x[redacted]x'],
  ['as JSON writes it', String.raw`{"k":"a\"b"}`, ['a"b'], '{"k":"[redacted]"}'],
  ['percent-encoded', 'https://h/?k=a%2Fb', ['a/b'], 'https://h/?k=[redacted]'],
  ['nothing for an empty secret', 'abc', [''], 'abc'],
  ['characters that patterns treat specially', 'x a.*b y', ['a.*b'], 'x [redacted] y'],
])('covers %s', (_name, text, secrets, expected) => {
  expect(redact(text, secrets)).toBe(expected);
});

test('no secret is left, wherever and however often it stands', () => {
  // The marker's own letters are kept out, so that the marker cannot spell a secret by itself.
  const secret = fc.string({
    unit: fc.constantFrom('X', 'Y', '1', '%', '"', '/'),
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(
      fc.array(secret, { maxLength: 4 }),
      fc.array(fc.oneof(secret, fc.constantFrom('X', '1', ' '))),
      (secrets, parts) => {
        const text = redact([...parts, ...secrets].join(''), secrets);
        for (const value of secrets) expect(text.includes(value)).toBe(false);
      },
    ),
  );
});

describe('with a secret in every field', () => {
  const SECRET = 'sk-SEEDED/secret"value';
  const SPLIT = 'sk-SEEDED\x1b[0m/secret"value';

  // Every text field, at any depth, holds the secret: plain, and split by an escape sequence.
  function seeded(value: unknown): unknown {
    if (typeof value === 'string') return `before ${SECRET} ${SPLIT} after`;
    if (Array.isArray(value)) return value.map(seeded);
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, seeded(item)]));
    }
    return value;
  }

  const conditions = [...allErrorEntries, ...allWarningEntries].map((entry) => ({
    ...('variant' in entry ? { variant: entry.variant } : {}),
    code: entry.code,
    ...(seeded(
      Object.fromEntries(
        Object.entries(entry.fields).map(([name, field]) => [name, field.placeholder(name)]),
      ),
    ) as object),
  }));

  test.each(conditions)('$code $variant shows none of it', (condition) => {
    const options = { secrets: [SECRET] };
    const { message, hint } =
      'variant' in condition
        ? diagnose(condition as unknown as ErrorCondition, options)
        : diagnoseWarning(condition as unknown as WarningCondition, options);
    expect(`${message}${hint}`).not.toContain('SEEDED');
  });

  test('says that something was withheld', () => {
    expect(diagnose({ variant: 'AgentLoopFailed', message: SECRET }, { secrets: [SECRET] }).message).toBe(
      `the agent loop failed: ${REDACTED}`,
    );
  });
});

test('a secret that runs over several lines is withheld from a field that is shown on one', () => {
  const secret = '-----BEGIN KEY-----\nMARKER\tMARKER\n-----END KEY-----';
  const condition = { variant: 'SkillSourceNotFound', path: `x ${secret} y` } as const;
  expect(diagnose(condition, { secrets: [secret] }).message).toBe(
    `the skill source 'x ${REDACTED} y' does not exist`,
  );
});
