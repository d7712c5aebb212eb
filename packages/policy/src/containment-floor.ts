import { type ContainmentClass, MurmurError } from '@murmur/errors';

/** What a live probe of the host found; the fields of the containment probe that a decision needs. */
export interface HostFacts {
  /** The strongest class that can be delivered here. */
  readonly achievable: ContainmentClass;
  /** Name of the mechanism. */
  readonly enforcementTier: string;
  /** Why the next stronger class cannot be delivered, with the way out; null when nothing is lacking. */
  readonly shortfall: string | null;
}

/** The containment of a run, decided once. */
export interface ContainmentDecision {
  /** The strongest of the declared floors; `advisory` when nothing is declared. */
  readonly declared: ContainmentClass;
  /** What this host delivers to this manifest. */
  readonly achieved: ContainmentClass;
  readonly floorMet: boolean;
  /** Why the floor is not met; null when it is. */
  readonly shortfall: string | null;
  readonly enforcementTier: string;
}

const ORDER: readonly ContainmentClass[] = ['advisory', 'scoped', 'sealed'];

/** The stronger of two classes. */
export function strongerClass(a: ContainmentClass, b: ContainmentClass): ContainmentClass {
  return ORDER.indexOf(a) >= ORDER.indexOf(b) ? a : b;
}

/** What the decision is made from. */
export interface FloorOptions {
  /** The floors of manifest, configuration and flag, as far as each is there. */
  readonly floors: readonly (ContainmentClass | null | undefined)[];
  readonly workdirExec: boolean;
  readonly host: HostFacts;
}

/**
 * Holds the declared floor against the host. What is achieved comes from the probe alone and is never
 * raised by a declaration; executing from the workdir caps it at `advisory` on every host. Implements
 * docs/spec/policy.md, "Containment floor".
 */
export function decideContainment({ floors, workdirExec, host }: FloorOptions): ContainmentDecision {
  const declared = floors.reduce<ContainmentClass>(
    (strongest, floor) => strongerClass(strongest, floor ?? 'advisory'),
    'advisory',
  );
  const achieved = workdirExec ? 'advisory' : host.achievable;
  const floorMet = strongerClass(declared, achieved) === achieved;
  const shortfall = workdirExec
    ? `capabilities.filesystem.workdir_exec: true caps the class at advisory on every host; remove the key, or declare advisory`
    : (host.shortfall ?? `the probe found ${host.enforcementTier}`);
  return {
    declared,
    achieved,
    floorMet,
    shortfall: floorMet ? null : shortfall,
    enforcementTier: host.enforcementTier,
  };
}

/** Refuses a floor that is not met. Throws `E-CAP-003`. */
export function requireFloor({ declared, achieved, shortfall }: ContainmentDecision): void {
  if (shortfall === null) return;
  throw new MurmurError({ variant: 'ContainmentFloorUnmet', declared, achieved, reason: shortfall });
}
