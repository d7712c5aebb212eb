import { randomBytes } from 'node:crypto';
import { type Beneath, sweepTemporary } from '@murmur/beneath';

const SCRATCH_NAME = /^(\d{1,10})-[0-9a-f]{16}$/;

/** A path for an entry being written, carrying the writer's process id. */
export function scratchName(): string {
  return `scratch/${process.pid}-${randomBytes(8).toString('hex')}`;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Removes what writers left that were killed at work; what a living process is writing stays. */
export async function sweepScratch(root: Beneath): Promise<void> {
  for (const entry of await root.list('scratch')) {
    const pid = SCRATCH_NAME.exec(entry.name)?.[1];
    if (pid === undefined || !isRunning(Number(pid))) await root.remove(`scratch/${entry.name}`);
  }
  await sweepTemporary(root);
}
