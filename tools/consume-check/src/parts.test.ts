import { describe, expect, it } from 'vitest';
import { firstExample } from './example.js';
import { importedPackages } from './imports.js';
import { typeProblemsIn } from './typecheck.js';

describe('firstExample', () => {
  it.each([
    ['```ts\na\nb\n```\n', 'a\nb\n'],
    ['text\n\n```ts \nfirst\n```\n\n```ts\nsecond\n```', 'first\n'],
    ['```sh\nls\n```\n```ts\nx\n```', 'x\n'],
    ['```typescript\nx\n```', null],
    ['~~~ts\nx\n~~~', null],
    ['no code', null],
  ])('%j', (readme, example) => {
    expect(firstExample(readme)).toBe(example);
  });
});

describe('importedPackages', () => {
  it.each([
    ["import { a } from 'zod';", ['zod']],
    ['import x from "@murmur/errors";', ['@murmur/errors']],
    ["export * from '@scope/name/sub/path.js';", ['@scope/name']],
    ["import 'side-effect/register';", ['side-effect']],
    ["const a = await import('lazy');", ['lazy']],
    ["let t: import('typed').T;", ['typed']],
    [
      "import a from './near.js'; import b from 'node:fs'; import c from 'fs/promises'; import d from '#own';",
      [],
    ],
  ])('%s', (text, packages) => {
    expect([...importedPackages(text)]).toEqual(packages);
  });
});

it('reads the compiler’s problems with the lines that go on from them', () => {
  const output =
    'src/a.ts(1,2): error TS1: one\n  more\nnode_modules/@x/y/d.d.ts(3,4): error TS2: two\nerror TS5: config\n';
  expect(typeProblemsIn(output)).toEqual([
    { file: 'src/a.ts', text: 'src/a.ts(1,2): error TS1: one\n  more' },
    { file: 'node_modules/@x/y/d.d.ts', text: 'node_modules/@x/y/d.d.ts(3,4): error TS2: two' },
    { file: '', text: 'error TS5: config' },
  ]);
});
