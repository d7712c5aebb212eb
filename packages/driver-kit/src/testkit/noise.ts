import fc from 'fast-check';

/** What gets between the lines of a harness without being any: warnings, blank lines, scraps, types of the future. */
export const noiseLine: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\t',
    'Warning: something else wrote to this stream',
    '(node:4242) ExperimentalWarning: something is experimental',
    '\u001b[33mwarn\u001b[0m \u{1f99c}',
    'null',
    'true',
    '[]',
    '{}',
    '"text"',
    '{"type":',
    '{"type":"x-never-heard-of","id":1}',
    '{"type":7}',
    '{"type":null,"message":"x"}',
    '\ufffd\ufffd',
  ),
  fc.string({ maxLength: 40 }).map((text) => `noise ${text.replace(/[\r\n]/g, ' ')}`),
  fc.jsonValue({ maxDepth: 1 }).map((value) => JSON.stringify({ type: 'x-never-heard-of', value })),
);

/** Noise lines and where they go; positions wrap around. */
export const noise: fc.Arbitrary<readonly { readonly at: number; readonly line: string }[]> = fc.array(
  fc.record({ at: fc.nat(9999), line: noiseLine }),
  { minLength: 1, maxLength: 4 },
);

/**
 * Lines with noise between them, and the index that each line had before (null for noise).
 *
 * @param from noise goes in behind this many lines
 */
export function withNoise(
  lines: readonly string[],
  pieces: readonly { readonly at: number; readonly line: string }[],
  from = 0,
): { readonly lines: readonly string[]; readonly origins: readonly (number | null)[] } {
  const entries: { line: string; origin: number | null }[] = lines.map((line, origin) => ({ line, origin }));
  for (const { at, line } of pieces)
    entries.splice(from + (at % (entries.length - from + 1)), 0, { line, origin: null });
  return { lines: entries.map(({ line }) => line), origins: entries.map(({ origin }) => origin) };
}
