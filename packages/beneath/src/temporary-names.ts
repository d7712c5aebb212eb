import { randomBytes } from 'node:crypto';
import { errnoOf } from './failures.js';

const pattern = /^\.murmur-(\d{1,10})-[0-9a-f]{24}\.tmp$/;

/** A name nobody can guess, carrying the writer's process id so that a leftover can be told from work in hand. */
export function temporaryName(): Buffer {
  return Buffer.from(`.murmur-${process.pid}-${randomBytes(12).toString('hex')}.tmp`);
}

/** Whether a name is a temporary whose writer no longer runs. */
export function isLeftover(name: string): boolean {
  const pid = pattern.exec(name)?.[1];
  return pid !== undefined && !isRunning(Number(pid));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errnoOf(error) === 'EPERM';
  }
}
