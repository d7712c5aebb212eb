import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { yamlCeilings } from '../defaults.js';
import { readYaml, type YamlContent } from './read.js';

const problemOf = (
  input: string | Uint8Array,
): { line: number | null; column: number | null; reason: string } => {
  const reading = readYaml(input);
  if (reading.ok) throw new Error(`was read: ${JSON.stringify(reading.content.value)}`);
  return reading.problem;
};

const contentOf = (input: string | Uint8Array): YamlContent => {
  const reading = readYaml(input);
  if (!reading.ok) throw new Error(`was refused: ${reading.problem.reason}`);
  return reading.content;
};

/** Whether a value is within what is read: no lone surrogate, no integer that is rounded. */
const isReadable = (value: unknown): boolean => {
  if (typeof value === 'string') return !/\p{Surrogate}/u.test(value);
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).flat().every(isReadable);
};

describe('what is refused', () => {
  it.each([
    ['a duplicate key', 'a: 1\nb:\n  c: 1\n  c: 2\n', 4, 3, /b\.c is written twice/],
    ['a duplicate key in another spelling', 'a: 1\n"a": 2\n', 2, 1, /a is written twice/],
    ['an anchor', 'a: &x 1\n', 1, 4, /anchors/],
    ['an alias', 'a: 1\nb: *x\n', 2, 4, /aliases/],
    ['an alias as a key', '*x : 1\n', 1, 1, /aliases/],
    ['a known tag', 'a: !!str 1\n', 1, 4, /tags/],
    ['an unknown tag', 'a:\n  - !evil 1\n', 2, 5, /tags/],
    ['a directive', '%YAML 1.1\n---\na: yes\n', 1, 1, /directives/],
    ['a second document', 'a: 1\n---\nb: 2\n', 2, 1, /more than one/],
    ['__proto__', 'a:\n  __proto__: {}\n', 2, 3, /__proto__/],
    ['__proto__ in quotes', '{"__proto__": {}}', 1, 2, /__proto__/],
    ['infinity', 'a:\n  b: .inf\n', 2, 6, /finite/],
    ['an overflow', 'a: 1e400\n', 1, 4, /finite/],
    ['not a number', 'a: .nan\n', 1, 4, /finite/],
    ['an integer that would be rounded', 'a: 9007199254740993\n', 1, 4, /exactly/],
    ['a list as a key', '? [a]\n: 1\n', 1, 3, /./],
    ['a lone surrogate', 'a: "\\ud800"\n', 1, 4, /Unicode/],
    ['an unclosed quote', 'a: "x\n', 2, 1, /./],
    ['an unclosed bracket', 'a: [\n', 2, 1, /./],
    ['a tab as indentation', 'a:\n\tb: 1\n', 2, 1, /./],
    ['text behind a value', 'a: "x" y\n', 1, 8, /./],
  ])('%s, with its place', (_, text, line, column, reason) => {
    const problem = problemOf(text);
    expect(problem.reason).toMatch(reason);
    expect({ line: problem.line, column: problem.column }).toEqual({ line, column });
  });

  it('is a duplicate of a key without a value', () => {
    expect(problemOf('a:\na:\n').reason).toMatch(/twice/);
  });

  it('is a text above the ceiling, before it is parsed, and not the largest one below', () => {
    const line = '# comment\n';
    const most = line.repeat(yamlCeilings.maxBytes / line.length);
    expect(contentOf(most.padEnd(yamlCeilings.maxBytes, '#')).value).toBeNull();
    expect(problemOf(`${most.padEnd(yamlCeilings.maxBytes, '#')}#`).reason).toMatch(/bytes/);
  });

  it.each([
    ['flow lists', (depth: number) => '['.repeat(depth) + ']'.repeat(depth)],
    ['flow mappings', (depth: number) => '{a: '.repeat(depth) + '}'.repeat(depth)],
    ['block lists', (depth: number) => `${'- '.repeat(depth)}x`],
    ['explicit keys', (depth: number) => `${'? '.repeat(depth)}x`],
    [
      'block mappings',
      (depth: number) => Array.from({ length: depth }, (_, i) => `${' '.repeat(i)}a:\n`).join(''),
    ],
  ])('is nesting of %s below the ceiling, with a place', (kind, nested) => {
    const problem = problemOf(nested(yamlCeilings.maxDepth + 1));
    expect(problem.reason).toMatch(/deeper/);
    expect(problem.column ?? 0).toBeGreaterThan(1);
    if (kind !== 'explicit keys') expect(readYaml(nested(yamlCeilings.maxDepth)).ok).toBe(true);
  });

  it('is a file that is not UTF-8, at the first bad byte', () => {
    const bytes = Buffer.concat([Buffer.from('a: 1\nb: é'), Buffer.from([0xff]), Buffer.from('\n')]);
    expect(problemOf(bytes)).toMatchObject({ line: 2, column: 5, reason: expect.stringMatching(/UTF-8/) });
  });
});

describe('hostile texts as large as they may be', () => {
  const most = yamlCeilings.maxBytes;
  const filled = (unit: string): string => unit.repeat(Math.floor(most / unit.length));
  it.each([
    ['[', filled('[')],
    ['{a: ', filled('{a: ')],
    ['- ', filled('- ')],
    ['? ', filled('? ')],
    ['a: ', filled('a: ')],
    ['"', filled('"a\n')],
    ["'", `${filled("'").slice(1)}x`],
    [',', `[${filled(',').slice(2)}]`],
    [']', filled(']')],
    ['&a ', filled('&a ')],
    ['!a ', filled('!a ')],
    ['*a ', filled('- *a\n')],
    ['%A', filled('%A\n')],
    ['---', filled('---\n')],
    ['|', filled('|\n a\n')],
    ['one key', filled('a: [1]\n')],
    [
      'alias bomb',
      `a: &a [x]\n${Array.from({ length: 9 }, (_, i) => `b${i}: [${'*a,'.repeat(9)}]\n`).join('')}`,
    ],
  ])('end in a problem: %s', (_, text) => {
    expect(problemOf(text).reason).not.toBe('');
  });

  it('are read when they are only large: 20,000 keys', () => {
    const text = Array.from({ length: 20_000 }, (_, index) => `k${index}: 1\n`).join('');
    expect(Object.keys(contentOf(text).value ?? {})).toHaveLength(20_000);
  });
});

describe('what is read', () => {
  it('is the core schema of YAML 1.2', () => {
    const text = 'a: yes\nb: on\nc: 017\nd: 2024-01-01\ne: ~\nf: true\ng: 0x10\nh: <<\n<<: {x: 1}\n';
    expect(contentOf(text).value).toEqual({
      a: 'yes',
      b: 'on',
      c: 17,
      d: '2024-01-01',
      e: null,
      f: true,
      g: 16,
      h: '<<',
      '<<': { x: 1 },
    });
  });

  it('keeps the source of numbers where it is asked to, and only there', () => {
    const reading = readYaml('version: 1.10\nother: 1.10\n', {
      keepsSource: (path) => path[0] === 'version',
    });
    expect(reading).toMatchObject({ ok: true, content: { value: { version: '1.10', other: 1.1 } } });
  });

  it('knows where every key and element stands, counted in lines and columns from 1', () => {
    const { positions } = contentOf('a:\n  b: [x, 7]\n"c.d": 1\n');
    expect(positions.get('a.b')).toEqual({ key: { line: 2, column: 3 }, value: { line: 2, column: 6 } });
    expect(positions.get('a.b[1]')?.value).toEqual({ line: 2, column: 10 });
    expect(positions.get('["c.d"]')?.key).toEqual({ line: 3, column: 1 });
  });

  it('starts after a byte order mark', () => {
    expect(contentOf(Buffer.from('\uFEFFa: 1\n')).value).toEqual({ a: 1 });
  });

  it('is any JSON value that the library writes', () => {
    const plain = fc
      .jsonValue({ maxDepth: 5 })
      .filter((value) => !JSON.stringify(value).includes('__proto__'));
    fc.assert(
      fc.property(plain, (value) => {
        const same = JSON.parse(JSON.stringify(value)) as unknown;
        fc.pre(isReadable(same));
        expect(contentOf(stringify(same, { aliasDuplicateObjects: false })).value).toEqual(same);
      }),
    );
  });

  it('never throws, whatever the text', () => {
    const alphabet = fc.constantFrom(...'abc:-?,[]{}#&*!|>%@`"\' \n\t~.0123e\\<='.split(''));
    const text = fc.oneof(fc.string({ unit: alphabet, maxLength: 200 }), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(text, (value) => {
        const reading = readYaml(value);
        expect(typeof reading.ok).toBe('boolean');
      }),
      { numRuns: 2_000 },
    );
  });

  it('never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(typeof readYaml(bytes).ok).toBe('boolean');
      }),
    );
  });
});
