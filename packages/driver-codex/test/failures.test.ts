import { expect, test } from 'vitest';
import { failureKindOf } from '../src/failures.js';
import { process as driver } from '../src/index.js';
import { exitOf } from './replay.js';

test.each([
  ['unexpected status 401 Unauthorized: invalid x-api-key, url: http://h/v1/responses', 'auth'],
  ['Missing environment variable: `MOCK_KEY`.', 'auth'],
  ['Your access token could not be refreshed. Please log out and sign in again.', 'auth'],
  ['exceeded retry limit, last status: 429 Too Many Requests', 'quota'],
  ['Quota exceeded. Check your plan and billing details.', 'quota'],
  ["You've hit your usage limit. Sign in again or purchase more credits.", 'quota'],
  ['unexpected status 403 Forbidden: refused by the network rules', 'harness-error'],
  ['unexpected status 500 Internal Server Error: no quota left to say', 'harness-error'],
  ['stream disconnected before completion', 'harness-error'],
  ['', 'harness-error'],
])('%j is a failure of kind %s', (message, kind) => {
  expect(failureKindOf(message)).toBe(kind);
});

test('a start that fails for want of a login is an auth failure, an unknown session is not', () => {
  const exit = {
    code: 1,
    signal: undefined,
    stderrTail: 'Error: Not logged in. Run codex login.',
    interrupted: false,
    sawTerminal: false,
  };
  expect(driver.classifyExit(exit)).toMatchObject({ val: { kind: 'auth' } });
  expect(driver.classifyExit({ ...exit, interrupted: true })).toMatchObject({ val: { kind: 'canceled' } });
  expect(driver.classifyExit(exitOf('unknown-session', false))).toMatchObject({
    val: { kind: 'harness-error' },
  });
  expect(driver.classifyExit({ ...exit, code: 0, stderrTail: '' })).toMatchObject({ tag: 'turn-failed' });
});
