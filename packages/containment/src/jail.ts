import { MurmurError } from '@murmur/errors';
import { type ContainedProcess, runContained } from './contained-process.js';
import { runPlain } from './plain-process.js';
import { toLaunchSpec } from './spawn-request.js';
import type { ContainmentOptions, Jail, JailSpec } from './types.js';
import { locateWarden } from './warden-location.js';

/** What this build lacks for the classes above `advisory`, in one place for the probe and the refusal. */
export const STRONGER_CLASSES_SHORTFALL =
  'this version of Murmur does not build namespaces, a composed root or system call filters yet';

/**
 * Opens a jail: everything spawned through it is killed with it.
 *
 * Implements `docs/spec/containment.md` ("Jails").
 * @throws MurmurError `ContainmentFloorUnmet` (E-CAP-003) for a class that this build cannot deliver here
 * @throws MurmurError `Runtime` (E-IO-003) when the warden is missing
 */
export async function openJail(spec: JailSpec, options: ContainmentOptions = {}): Promise<Jail> {
  if (spec.class !== 'advisory') {
    throw new MurmurError({
      variant: 'ContainmentFloorUnmet',
      declared: spec.class,
      achieved: 'advisory',
      reason: STRONGER_CLASSES_SHORTFALL,
    });
  }
  const wardenPath = process.platform === 'linux' ? locateWarden(options) : null;
  const running = new Set<ContainedProcess>();
  let closed = false;

  const killAll = async (): Promise<void> => {
    closed = true;
    await Promise.all([...running].map((contained) => contained.kill()));
  };

  return {
    spec,
    spawn: async (request) => {
      const launch = toLaunchSpec(request);
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
