import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
// @ts-expect-error -- a build script without types
import { generate, outputPath, witPath } from '../scripts/generate-contract.mjs';
// @ts-expect-error -- a build script without types
import { readWitInterface } from '../scripts/wit-interface.mjs';

/** Formatting is the formatter's business; tokens are what has to agree. */
const tokens = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[,;] ?([}\])])/g, ' $1')
    .replace(/\s+/g, ' ');

test('the generated contract is the one wit/driver describes', () => {
  const generated: string = generate(readFileSync(witPath, 'utf8'));
  expect(tokens(readFileSync(outputPath, 'utf8'))).toBe(tokens(generated));
});

test('WIT outside the subset that is read is an error, not half read', () => {
  expect(() => readWitInterface('package a:b@1.0.0;\ninterface c {\n  resource d;\n}\n')).toThrow(
    'cannot read: resource d;',
  );
  expect(() => readWitInterface('interface c {\n  record d {\n    e: stream<u8>,\n  }\n}\n')).toThrow(
    'cannot read type',
  );
});
