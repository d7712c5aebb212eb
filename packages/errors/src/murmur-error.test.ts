import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isMurmurError, MurmurError } from './murmur-error.js';
import { osError } from './os-error.js';
import {
  HARNESS_INACTIVE_CODE,
  HARNESS_SESSION_GONE_CODE,
  HARNESS_TURN_FAILED_CODE,
  PROCESS_DRIVER_CALL_FAILED_CODE,
} from './shared-codes.js';

test('a MurmurError carries its condition, its texts and its cause', () => {
  const cause = new Error('why');
  const error = new MurmurError({ variant: 'PortInUse', port: 80 }, { cause });
  expect(error.code).toBe('E-RUN-010');
  expect(error.message).toBe('network.internal_port 80 is already in use');
  expect(error.diagnostic.hint).toBeDefined();
  expect(error.cause).toBe(cause);
  expect(isMurmurError(error)).toBe(true);
});

test.each([null, undefined, 'text', 7, new Error('x'), { code: 'E-RUN-010' }])(
  '%s is no MurmurError',
  (value) => {
    expect(isMurmurError(value)).toBe(false);
  },
);

test('the four codes that the terminal and the door share are those of their conditions', () => {
  const turnFailed = new MurmurError({
    variant: 'HarnessTurnFailed',
    kind: 'other',
    message: 'm',
    origin: 'harness',
  });
  const callFailed = new MurmurError({
    variant: 'ProcessDriverCallFailed',
    name: 'd',
    version: '1.0.0',
    call: 'parse',
    message: 'm',
  });
  const inactive = new MurmurError({ variant: 'ProcessHarnessInactive', seconds: 600 });
  const gone = new MurmurError({
    variant: 'HarnessSessionGone',
    context_id: 'c',
    session_id: 's',
    harness: 'h',
    path: null,
    detail: 'd',
  });
  expect([turnFailed, callFailed, inactive, gone].map((error) => error.code)).toEqual([
    HARNESS_TURN_FAILED_CODE,
    PROCESS_DRIVER_CALL_FAILED_CODE,
    HARNESS_INACTIVE_CODE,
    HARNESS_SESSION_GONE_CODE,
  ]);
});

describe('osError', () => {
  test('takes the code and the text of a failed system call apart', () => {
    let thrown: unknown;
    try {
      readFileSync('/nowhere, open, at all');
    } catch (error) {
      thrown = error;
    }
    expect(osError(thrown)).toEqual({ code: 'ENOENT', message: 'no such file or directory' });
  });

  test('keeps the text of anything else', () => {
    expect(osError(new Error('plain'))).toEqual({ code: 'EUNKNOWN', message: 'plain' });
    expect(osError('text')).toEqual({ code: 'EUNKNOWN', message: 'text' });
  });
});
