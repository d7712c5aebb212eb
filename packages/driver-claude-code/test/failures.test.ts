import fc from 'fast-check';
import { expect, test } from 'vitest';
import { failureKindOf, failureMessageOf } from '../src/failures.js';
import { process as driver } from '../src/index.js';
import { exitOf } from './replay.js';

test.each([
  [{ api_error_status: 401, terminal_reason: 'aborted_streaming' }, undefined, 'auth'],
  [{ api_error_status: 403 }, undefined, 'auth'],
  [{ api_error_status: 429 }, 'authentication_failed', 'quota'],
  [{ api_error_status: 529 }, 'server_error', 'harness-error'],
  [{ api_error_status: 500 }, undefined, 'harness-error'],
  [{ api_error_status: null, terminal_reason: 'aborted_streaming' }, undefined, 'canceled'],
  [{ terminal_reason: 'aborted_tools' }, undefined, 'canceled'],
  [{ subtype: 'error_max_turns' }, undefined, 'max-turns'],
  [{ terminal_reason: 'max_turns' }, 'rate_limit', 'max-turns'],
  [{ terminal_reason: 'completed' }, 'authentication_failed', 'auth'],
  [{}, 'oauth_org_not_allowed', 'auth'],
  [{}, 'billing_error', 'quota'],
  [{}, 'rate_limit', 'quota'],
  [{}, 'invented_tomorrow', 'harness-error'],
  [{}, undefined, 'harness-error'],
])('%j after the error %j is a failure of kind %s', (result, errorClass, kind) => {
  expect(failureKindOf(result, errorClass)).toBe(kind);
});

test('the message is what Claude Code says, else what it says of the end', () => {
  expect(failureMessageOf({ result: ' API Error: x ', errors: ['y'] })).toBe('API Error: x');
  expect(
    failureMessageOf({
      result: '',
      subtype: 'error_during_execution',
      terminal_reason: 'api_error',
      startup_failure_reason: 'bypass_root',
      api_error_status: 502,
      errors: ['first', 'second'],
    }),
  ).toBe('error_during_execution: api_error: bypass_root: HTTP 502: first');
  expect(failureMessageOf({ errors: [{}] })).toBe('Claude Code failed the turn without saying why');
});

test('an exit alone is never a success; interrupted it is canceled', () => {
  fc.assert(
    fc.property(
      fc.option(fc.integer({ min: 0, max: 255 }), { nil: undefined }),
      fc.option(fc.integer({ min: 1, max: 31 }), { nil: undefined }),
      fc.boolean(),
      fc.string(),
      (code, signal, interrupted, stderrTail) => {
        const event = driver.classifyExit({ code, signal, interrupted, stderrTail, sawTerminal: false });
        expect(event).toMatchObject({
          tag: 'turn-failed',
          val: { kind: interrupted ? 'canceled' : 'harness-error' },
        });
      },
    ),
  );
  expect(driver.classifyExit(exitOf('session-id-in-use', false))).toMatchObject({
    val: { message: expect.stringContaining('already in use') },
  });
});
