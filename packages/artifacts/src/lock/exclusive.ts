import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type Beneath, sweepTemporary } from '@murmur/beneath';
import { MurmurError } from '@murmur/errors';
import { isProcessRunning, processStart } from './process-identity.js';

const claimPattern = /^\.murmur-claim-(\d{1,10})-(\d{1,20})-[0-9a-f]{16}$/;
const attempts = 1500;
const longestPauseMs = 40;

/**
 * Runs an action while no other process runs one on the same directory. A holder that dies gives way at
 * once: nothing has to expire.
 *
 * Each contender announces itself by a file of its own name, then looks. Whoever sees nobody else alive
 * holds the directory; whoever sees another takes its announcement back and tries again a little later. Two
 * cannot both see nobody, because each announced before it looked. Announcements of dead processes can be
 * removed by anybody, because a name is never used twice.
 */
export async function exclusively<T>(directory: Beneath, action: () => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const mine = `.murmur-claim-${process.pid}-${processStart(process.pid) ?? '0'}-${randomBytes(8).toString('hex')}`;
    await directory.append(mine, '', { mode: 0o600 });
    try {
      if (!(await othersClaim(directory, mine))) {
        await sweepTemporary(directory);
        return await action();
      }
    } finally {
      await directory.remove(mine);
    }
    await setTimeout(1 + Math.random() * longestPauseMs);
  }
  const reason = 'another process has been changing it for too long';
  throw new MurmurError({ variant: null, code: 'E-IO-003', operation: 'lock', path: directory.path, reason });
}

async function othersClaim(directory: Beneath, mine: string): Promise<boolean> {
  let claimed = false;
  for (const { name } of await directory.list('.')) {
    const [, pid, start] = claimPattern.exec(name) ?? [];
    if (name === mine || pid === undefined || start === undefined) continue;
    if (isProcessRunning(Number(pid), start)) claimed = true;
    else await directory.remove(name);
  }
  return claimed;
}
