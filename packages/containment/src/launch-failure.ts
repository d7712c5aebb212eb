import { getSystemErrorName } from 'node:util';
import { MurmurError } from '@murmur/errors';
import type { JailPlan } from './jail-wire.js';
import type { Stage, StatusRecord } from './status-wire.js';

export type FailedRecord = Extract<StatusRecord, { kind: 'failed' }>;

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

function describeDetail(failed: FailedRecord): string {
  if (failed.stage === 'set process limits') return ` (${RESOURCES[failed.detail] ?? failed.detail})`;
  if (failed.stage === 'read the specification') return ` (reason ${failed.detail})`;
  return '';
}

/** Steps of a root of its own, after which the program would have been looked up inside it. */
export const JAIL_STEPS: ReadonlySet<Stage> = new Set<Stage>([
  'make namespaces',
  'map the ids',
  'take the identity',
  'take what was granted',
  'start the root',
  'place devices',
  'place the process listing',
  'place the scratch space',
  'place what was granted',
  'place the accounts',
  'enter the root',
  'set up the loopback network',
  'end nested namespaces',
  'build the Landlock rules',
  'load the system call filter',
  'drop capabilities',
  'keep the first process alive',
]);

/** The mount or rule that a step failed at, in words. */
function describeEntry(failed: FailedRecord, jail: JailPlan | undefined): string {
  if (failed.stage === 'take what was granted' || failed.stage === 'place what was granted')
    return ` (${jail?.mounts[failed.detail]?.path ?? failed.detail})`;
  if (failed.stage === 'build the Landlock rules' && failed.detail > 0)
    return ` (${jail?.rules[failed.detail - 1]?.path ?? failed.detail})`;
  return failed.detail === 0 ? '' : ` (${failed.detail})`;
}

/** A jail that could not be built: `SealedRootConstructionFailed` (E-RUN-014) with step, place and errno. */
function jailFailure(program: string, failed: FailedRecord, jail: JailPlan | undefined): MurmurError {
  const reason = failed.errno === 0 ? 'it failed' : errnoName(failed.errno);
  const detail = `sealed-root: ${failed.stage}${describeEntry(failed, jail)}: ${reason}`;
  const cause = systemError(failed.errno, failed.stage, program);
  return new MurmurError({ variant: 'SealedRootConstructionFailed', detail }, { cause });
}

/**
 * The error of a spawn that the warden could not carry out: `Runtime` (E-IO-003) with step and errno, or
 * `SealedRootConstructionFailed` (E-RUN-014) where the jail itself failed.
 */
export function launchFailure(
  label: string,
  program: string,
  failed: FailedRecord,
  jail?: JailPlan,
): MurmurError {
  if (JAIL_STEPS.has(failed.stage)) return jailFailure(program, failed, jail);
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
