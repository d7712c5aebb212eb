// Completion in real shells: the printed script is sourced and asked what comes next.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { catalog } from '@murmur/errors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mur, repository } from './support/mur.js';

let directory: string;
let env: Record<string, string>;

beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'mur-complete-'));
  mkdirSync(path.join(directory, 'bin'));
  symlinkSync(path.join(repository, 'bin/mur'), path.join(directory, 'bin/mur'));
  writeFileSync(path.join(directory, 'a-file.yaml'), '');
  env = { PATH: `${path.join(directory, 'bin')}:${process.env.PATH ?? ''}`, HOME: directory };
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Runs a program of a shell in the scratch directory; nothing may go to its stderr. */
function shell(program: string, args: readonly string[]): string {
  const result = spawnSync(program, args, { cwd: directory, env, encoding: 'utf8' });
  expect(result.stderr).toBe('');
  return result.stdout;
}

const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

/** What bash offers for the words of a line, the last of which is being typed. */
function bash(...words: readonly string[]): readonly string[] {
  const program = `
    source <(mur complete bash)
    source <(mur complete bash)
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    [[ $(complete -p mur) == 'complete -F _mur_complete mur' ]] && _mur_complete
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  return shell('bash', ['--norc', '-c', program, 'bash', 'mur', ...words])
    .split('\n')
    .filter(Boolean);
}

describe('bash', () => {
  test('completes commands', () => {
    expect(bash('')).toEqual(
      expect.arrayContaining(['run', 'build', 'install', 'list', 'doctor', 'explain', 'complete']),
    );
    expect(bash('do')).toEqual(['doctor']);
  });

  test('completes the flags of a command', () => {
    expect(bash('run', '--con')).toEqual(['--context', '--containment']);
    expect(bash('doctor', '--')).toEqual(['--json', '--help']);
  });

  test('completes the values of a choice, also after an equals sign, which bash splits off', () => {
    expect(bash('run', '--containment', '')).toEqual(['advisory', 'scoped', 'sealed']);
    expect(bash('run', '--containment', 's')).toEqual(['scoped', 'sealed']);
    expect(bash('run', '--containment', '=')).toEqual(['advisory', 'scoped', 'sealed']);
    expect(bash('run', '--containment', '=', 'sc')).toEqual(['scoped']);
    expect(bash('complete', 'f')).toEqual(['fish']);
  });

  test('completes every code for explain', () => {
    expect(new Set(bash('explain', ''))).toEqual(new Set(catalog.map(({ code }) => code)));
    expect(bash('explain', 'E-MAN-90')).toEqual(['E-MAN-901']);
  });

  test('completes files where a path is asked for, and nowhere else', () => {
    expect(bash('run', '--manifest', 'a-')).toEqual(['a-file.yaml']);
    expect(bash('install', 'a-')).toEqual(['a-file.yaml']);
    expect(bash('build', 'a-')).toEqual(['a-file.yaml']);
    expect(bash('run', '--context', 'a-')).toEqual([]);
    expect(bash('list', 'a-')).toEqual([]);
  });

  test('runs nothing of what is on the line', () => {
    const line = ['run', '--task', '$(touch owned)', '`touch owned`', '"; touch owned; "', '--con'];
    expect(bash(...line)).toEqual(['--context', '--containment']);
    expect(existsSync(path.join(directory, 'owned'))).toBe(false);
  });
});

describe('other shells', () => {
  test.skipIf(!has('zsh'))('zsh reads its script (skipped where zsh is not installed)', () => {
    shell('zsh', ['-f', '-c', 'mur complete zsh > script.zsh && zsh -n script.zsh']);
  });

  test.skipIf(!has('fish'))('fish completes (skipped where fish is not installed)', () => {
    const offers = (line: string): readonly string[] =>
      shell('fish', ['--no-config', '-c', `mur complete fish | source; complete -C ${JSON.stringify(line)}`])
        .split('\n')
        .flatMap((offer) => offer.split('\t')[0] ?? [])
        .filter(Boolean);
    expect(new Set(offers('mur run --containment s'))).toEqual(new Set(['scoped', 'sealed']));
    expect(offers('mur doc')).toEqual(['doctor']);
  });

  test('an unknown one is a mistake in the arguments', async () => {
    const result = await mur(['complete', 'tcsh'], { cwd: directory, env });
    expect(result.stderr).toMatch(/bash.*fish/);
    expect(result.stdout).toBe('');
    expect(result.code).toBe(2);
  });
});
