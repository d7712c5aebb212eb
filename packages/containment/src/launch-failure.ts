import { getSystemErrorName } from 'node:util';
import { MurmurError } from '@murmur/errors';
import type { StatusRecord } from './status-wire.js';

/** RLIMIT numbers of Linux, for the detail of a limit that could not be set. */
const RESOURCES: Readonly<Record<number, string>> = {
  0: 'cpuSeconds',
  1: 'fileSizeBytes',
  2: 'dataBytes',
  4: 'core',
  6: 'processes',
  7: 'openFiles',
};

function errnoName(errno: number): string {
  try {
    return getSystemErrorName(-errno);
  } catch {
    return `errno ${errno}`;
  }
}

/** An error as Node's own calls throw them, so that callers can ask for `cause.code`. */
function systemError(errno: number, step: string, program: string): Error {
  const code = errnoName(errno);
  return Object.assign(new Error(`${code}: ${step}, '${program}'`), {
    code,
    errno: -errno,
    syscall: step,
    path: program,
  });
}

function describeDetail(failed: Extract<StatusRecord, { kind: 'failed' }>): string {
  if (failed.stage === 'set process limits') return ` (${RESOURCES[failed.detail] ?? failed.detail})`;
  if (failed.stage === 'read the specification') return ` (reason ${failed.detail})`;
  return '';
}

/** The error of a spawn that the warden could not carry out: `Runtime` (E-IO-003) with step and errno. */
export function launchFailure(
  label: string,
  program: string,
  failed: Extract<StatusRecord, { kind: 'failed' }>,
): MurmurError {
  const reason = failed.errno === 0 ? 'it failed' : errnoName(failed.errno);
  const message = `${label}: could not ${failed.stage}${describeDetail(failed)} for ${program}: ${reason}`;
  const cause = failed.errno === 0 ? undefined : systemError(failed.errno, failed.stage, program);
  return new MurmurError({ variant: 'Runtime', message }, cause === undefined ? {} : { cause });
}

/** The error of a warden that was killed, would not start or cannot be understood: `Runtime` (E-IO-003). */
export function helperFailure(label: string, program: string, problem: string, cause?: unknown): MurmurError {
  const message = `${label}: the containment helper of ${program} ${problem}`;
  return new MurmurError({ variant: 'Runtime', message }, cause === undefined ? {} : { cause });
}
