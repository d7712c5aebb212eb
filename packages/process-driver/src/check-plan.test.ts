import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planProblem } from './check-plan.js';
import type { LaunchPlan } from './contract.js';
import { harnessEnvironment } from './environment.js';
import { placeFilesDirectory } from './files-directory.js';

const plan = (changes: Partial<LaunchPlan>): LaunchPlan => ({
  args: [],
  envSet: [],
  files: [],
  stdin: null,
  keepStdinOpen: false,
  interruptStdin: null,
  ...changes,
});
const file = (name: string) => ({ files: [{ name, contents: '' }] });

test.each([
  ['a file', file('a.json'), null],
  ['a hidden file', file('.rc'), null],
  ['a file with blanks', file('a b'), null],
  ['an empty name', file(''), /is empty/],
  ['a dot', file('.'), /names a directory/],
  ['two dots', file('..'), /names a directory/],
  ['a path', file('a/b'), /plain file name/],
  ['an absolute path', file('/etc/passwd'), /plain file name/],
  ['a backslash', file('a\\b'), /plain file name/],
  ['a NUL', file('a\0'), /plain file name/],
  ['a long name', file('x'.repeat(256)), /too long/],
  [
    'the same name twice',
    {
      files: [
        { name: 'a', contents: '1' },
        { name: 'a', contents: '2' },
      ],
    },
    /used twice/,
  ],
  ['a variable', { envSet: [['A', 'b=c']] }, null],
  ['a variable without a name', { envSet: [['', 'x']] }, /no variable name/],
  ['a variable with =', { envSet: [['A=B', 'x']] }, /"A=B"/],
  ['a variable with NUL', { envSet: [['A\0', 'x']] }, /no variable name/],
  ['a value with NUL', { envSet: [['A', 'x\0']] }, /A to a value/],
  ['an argument with NUL', { args: ['a', 'b\0'] }, /number 2/],
] as const)('%s', (_name, changes, problem) => {
  const found = planProblem(plan(changes as Partial<LaunchPlan>));
  if (problem === null) expect(found).toBeNull();
  else expect(found).toMatch(problem);
});

test('the value of a refused variable is not quoted', () => {
  expect(planProblem(plan({ envSet: [['TOKEN', 'hunter2\0']] }))).not.toContain('hunter2');
});

test('an accepted file name is one segment that stays in its directory', () => {
  fc.assert(
    fc.property(fc.string(), (name) => {
      if (planProblem(plan(file(name))) !== null) return;
      expect(name.split('/')).toEqual([name]);
      expect(['', '.', '..']).not.toContain(name);
    }),
  );
});

test('the files directory is put wherever arguments and values name it, character for character', () => {
  const placed = placeFilesDirectory(
    plan({
      args: ['{files_dir}/a:{files_dir}', '{files_di}', 'x'],
      envSet: [['{files_dir}', '{files_dir}']],
    }),
    '/tmp/$&/$1',
  );
  expect(placed).toEqual({
    args: ['/tmp/$&/$1/a:/tmp/$&/$1', '{files_di}', 'x'],
    envSet: [['{files_dir}', '/tmp/$&/$1']],
  });
});

test('the plan wins over what was granted, in order, and nothing else is there', () => {
  process.env.MURMUR_TEST_CANARY = 'leak';
  const env = harnessEnvironment({ HOME: '/h', PATH: '/p' }, [
    ['PATH', 'a'],
    ['PATH', 'b'],
    ['__proto__', 'c'],
  ]);
  delete process.env.MURMUR_TEST_CANARY;
  expect(Object.entries(env)).toEqual([
    ['HOME', '/h'],
    ['PATH', 'b'],
    ['__proto__', 'c'],
  ]);
});
