import { MurmurError } from '@murmur/errors';
import { type ContainedProcess, runContained } from './contained-process.js';
import { rehearse } from './host-rehearsal.js';
import { planJail } from './jail-plan.js';
import { runPlain } from './plain-process.js';
import { toLaunchSpec } from './spawn-request.js';
import type { ContainmentOptions, Jail, JailSpec } from './types.js';
import { locateWarden } from './warden-location.js';

/**
 * Opens a jail: everything spawned through it is killed with it.
 *
 * Above `advisory` the host is asked first, by building an empty jail of that class and running a program in it.
 * Implements `docs/spec/containment.md` ("Jails").
 * @throws MurmurError `ContainmentFloorUnmet` (E-CAP-003) for a class that this host cannot deliver, with the blocker
 * and the remedy
 * @throws MurmurError `Runtime` (E-IO-003) when the warden is missing
 * @throws Error for grants that do not exist or contradict each other
 */
export async function openJail(spec: JailSpec, options: ContainmentOptions = {}): Promise<Jail> {
  const wardenPath = process.platform === 'linux' ? locateWarden(options) : null;
  const plan = spec.class === 'advisory' ? undefined : planJail(spec.class, spec.grants ?? {});
  if (plan !== undefined) {
    const { shortfall } = await rehearse(plan.class, wardenPath);
    if (shortfall !== null)
      throw new MurmurError({
        variant: 'ContainmentFloorUnmet',
        declared: plan.class,
        achieved: 'advisory',
        reason: shortfall.reason,
      });
  }
  const running = new Set<ContainedProcess>();
  let closed = false;

  const killAll = async (): Promise<void> => {
    closed = true;
    await Promise.all([...running].map((contained) => contained.kill()));
  };

  return {
    spec,
    spawn: async (request) => {
      const launch = { ...toLaunchSpec(request), ...(plan === undefined ? {} : { jail: plan }) };
      if (closed) throw new Error(`jail ${spec.label}: spawn after kill`);
      const contained =
        wardenPath === null ? runPlain(spec.label, launch) : runContained(spec.label, wardenPath, launch);
      running.add(contained);
      void contained.gone.then(() => running.delete(contained));
      return contained.started;
    },
    kill: killAll,
    [Symbol.asyncDispose]: killAll,
  };
}
