import { MurmurError } from '@murmur/errors';
import { openJail, STRONGER_CLASSES_SHORTFALL } from './jail.js';
import type { ContainmentOptions, HostProbe } from './types.js';
import { locateWarden } from './warden-location.js';

/** Runs the warden's own binary under a warden: the whole launch path, with a program that is there for certain. */
async function rehearse(options: ContainmentOptions): Promise<void> {
  await using jail = await openJail({ class: 'advisory', label: 'probe' }, options);
  const rehearsal = await jail.spawn({
    program: locateWarden(options),
    args: ['--version'],
    env: {},
    cwd: '/',
    stdin: 'null',
    stdout: 'null',
    stderr: 'null',
  });
  const { code } = await rehearsal.exited;
  if (code !== 0) {
    throw new MurmurError({
      variant: 'Runtime',
      message: `the containment helper's rehearsal ended with code ${code}`,
    });
  }
}

/**
 * Finds out what this host can back, by running a program the way every other will be run.
 *
 * Implements `docs/spec/containment.md` ("Probe").
 * @throws MurmurError `Runtime` (E-IO-003) when the warden is missing or cannot run a program here
 */
export async function probe(options: ContainmentOptions = {}): Promise<HostProbe> {
  if (process.platform === 'linux') await rehearse(options);
  return {
    platform: process.platform,
    achievable: 'advisory',
    enforcementTier: 'none',
    shortfall: STRONGER_CLASSES_SHORTFALL,
  };
}
