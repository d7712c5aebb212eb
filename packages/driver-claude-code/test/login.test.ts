import fc from 'fast-check';
import { expect, test } from 'vitest';
import { process as driver } from '../src/index.js';
import { caseOf, exitOf, stdoutOf } from './replay.js';

const recordedLogin = (name: string) => ({
  exitCode: exitOf(name, false).code,
  stdout: stdoutOf(name),
  stderr: caseOf(name).stderr,
});

test('the recorded answers are read: signed out with the way in, and signed in', () => {
  expect(driver.readLogin(recordedLogin('login-status'))).toEqual({
    tag: 'logged-out',
    val: 'Claude Code is not signed in: run `claude auth login`',
  });
  expect(driver.readLogin(recordedLogin('login-status-api-key'))).toEqual({ tag: 'logged-in' });
});

test('without a status nothing is claimed, whatever the exit code', () => {
  for (const stdout of ['', 'Logged in', '{"loggedIn":"yes"}', '[true]', '{"loggedIn":tru'])
    expect(driver.readLogin({ exitCode: 0, stdout, stderr: '' })).toMatchObject({ tag: 'unknown' });
});

test('nothing that was printed is repeated: it names the person', () => {
  fc.assert(
    fc.property(
      fc.option(fc.nat(255), { nil: undefined }),
      fc.string(),
      fc.boolean(),
      (exitCode, noise, loggedIn) => {
        const status = JSON.stringify({ loggedIn, email: 'canary@example.test', orgName: 'canary' });
        for (const stdout of [status, `${noise}canary`, noise + status]) {
          const state = driver.readLogin({ exitCode, stdout, stderr: `${noise}canary` });
          expect(JSON.stringify(state)).not.toContain('canary');
        }
      },
    ),
  );
});
