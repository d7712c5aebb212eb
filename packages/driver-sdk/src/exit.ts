import { turnFailed } from './events.js';
import type { DriverEvent, ExitStatus } from './generated/contract.js';

/**
 * The judgement most harnesses want for a run that never said how it ended: interrupted means canceled whatever
 * the code says; every other end is a failure, exit code 0 included, because nothing vouches for the answer.
 * The message carries the end of stderr.
 */
export function classifyExitByDefault(exit: ExitStatus): DriverEvent {
  if (exit.interrupted && !exit.sawTerminal)
    return turnFailed('canceled', withStderr('the turn was interrupted', exit));
  return turnFailed('harness-error', withStderr(describeExit(exit), exit));
}

/** How a harness ended, in words. */
export function describeExit(exit: ExitStatus): string {
  if (exit.signal !== undefined) return `the harness was ended by signal ${exit.signal}`;
  if (exit.code === undefined) return 'the harness ended without an exit code';
  return exit.code === 0
    ? 'the harness exited with code 0 but never said how the turn ended'
    : `the harness exited with code ${exit.code}`;
}

function withStderr(summary: string, exit: ExitStatus): string {
  const tail = exit.stderrTail.trim();
  return tail === '' ? summary : `${summary}: ${tail}`;
}
