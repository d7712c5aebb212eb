import fc from 'fast-check';
import { expect, test } from 'vitest';
import { process as driver } from '../src/index.js';
import { caseOf, exitOf, stdoutOf } from './replay.js';

const recordedLogin = () => ({
  exitCode: exitOf('login-status', false).code,
  stdout: stdoutOf('login-status'),
  stderr: caseOf('login-status').stderr,
});

test('the recorded answer of a machine without a login is read as logged out, with the way in', () => {
  expect(driver.readLogin(recordedLogin())).toEqual({
    tag: 'logged-out',
    val: 'Codex is not signed in: run `codex login`',
  });
});

test('exit code 0 is logged in, however Codex words it', () => {
  expect(driver.readLogin({ exitCode: 0, stdout: '', stderr: 'Logged in using ChatGPT\n' })).toEqual({
    tag: 'logged-in',
  });
});

test('nothing that was printed is repeated: a key may be in it', () => {
  fc.assert(
    fc.property(
      fc.option(fc.nat(255), { nil: undefined }),
      fc.string(),
      fc.string(),
      (exitCode, before, after) => {
        const state = driver.readLogin({
          exitCode,
          stdout: `${before}sk-canary`,
          stderr: `${after}sk-canary***`,
        });
        expect(JSON.stringify(state)).not.toContain('canary');
      },
    ),
  );
});

test('the recorded version line holds the tested version as a word of its own', () => {
  const words = stdoutOf('version').trim().split(/\s+/);
  expect(driver.describe().testedVersions.some((version) => words.includes(version))).toBe(true);
});
