// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are what is tested
import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refusalOf } from '../test/refusal.js';
import { parseEnvFile } from './env-file.js';

const FILE = { file: '.env' };
const read = (text: string | Uint8Array) => parseEnvFile(text, FILE);

describe('an env file', () => {
  it('is read as util.parseEnv reads it', () => {
    const text = `# comment
A=1
export B = two words  # comment
C="a # b\\nc"
D='\${A}'

E=
F=\`back "tick"\`
G="line one
line two"
H=a=b
`;
    expect(read(text)).toEqual({
      A: '1',
      B: 'two words',
      C: 'a # b\nc',
      D: '${A}',
      E: '',
      F: 'back "tick"',
      G: 'line one\nline two',
      H: 'a=b',
    });
  });

  it.each(['', '\n\n', '# only\n', '\uFEFFA=1', 'A=1\r\nB=2\r\n'])('may be %j', (text) => {
    expect(() => read(text)).not.toThrow();
  });

  it.each([
    ['FOO\n', 1],
    ['A=1\nFOO\nB=2\n', 2],
    ['A=1\nK: v\nL=x\n', 2],
    ['A=1\n=x\n', 2],
    ['A B=1\n', 1],
    ['1A=1\n', 1],
    ['A-B=1\n', 1],
    ['A.B=1\n', 1],
    ['A="x\nB=2\n', 1],
    ["X=1\nA='x", 2],
    ['A="l1\nl2"\nFOO\n', 3],
    ['A=x\0y\n', 1],
    ['ok=1\n__proto__=1\n', 2],
    ['ÄÖ=1\n', 1],
  ])('may not be %j: line %i', (text, line) => {
    const condition = refusalOf(() => read(text));
    expect(condition).toMatchObject({ code: 'E-IO-003', path: '.env' });
    expect(condition.reason).toMatch(new RegExp(`^line ${line}\\b`));
  });

  it('is refused with the line of a byte that is not UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from('A=1\nB='), Buffer.from([0xff])]);
    expect(refusalOf(() => read(bytes)).reason).toMatch(/^line 2\b/);
  });

  it('never shows what it holds', () => {
    const secret = 'hunter2hunter2';
    for (const text of [`${secret}\n`, `A B=${secret}\n`, `A="${secret}\n`, `K: ${secret}\nL=x`]) {
      expect(JSON.stringify(refusalOf(() => read(text)))).not.toContain(secret);
    }
  });

  it('gives the same variables as util.parseEnv, or is refused', () => {
    const alphabet = fc.constantFrom(...'AB1_=="\'`# \n\\n:é$-'.split(''), 'A=', '\n', 'export ');
    fc.assert(
      fc.property(fc.string({ unit: alphabet, maxLength: 40 }), (text) => {
        let variables: Readonly<Record<string, string>>;
        try {
          variables = read(text);
        } catch (error) {
          expect((error as { diagnostic?: { code: string } }).diagnostic?.code).toBe('E-IO-003');
          return;
        }
        expect({ ...variables }).toEqual({ ...parseEnv(text) });
        for (const name of Object.keys(variables)) expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_]*$/);
      }),
      { numRuns: 3_000 },
    );
  });
});
