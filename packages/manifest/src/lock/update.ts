import { deepFreeze } from '../deep-freeze.js';
import type { Lock, LockEntry, LockedDigests } from './types.js';

/** A digest that a write pins: for every host, or for one platform. */
export type PinnedDigest = { readonly any: string } | { readonly platform: string; readonly digest: string };

/** What is written into a lock. */
export interface Pin {
  readonly name: string;
  readonly version: string;
  readonly sha256: PinnedDigest;
  /** A person's pin, or the id of the session that pulled the artifact. */
  readonly by: 'operator' | { readonly session: string };
}

/** A lock that pins nothing. */
export const emptyLock: Lock = deepFreeze({ lockVersion: 2, artifacts: [], extra: {} });

/** The pin of an artifact, `undefined` when there is none. */
export function lockEntry(lock: Lock, name: string): LockEntry | undefined {
  return lock.artifacts.find((entry) => entry.name === name);
}

/**
 * Why bytes disagree with a pin of the same version, or `null`. A platform that is not pinned yet is no
 * disagreement. Spec: manifest, reading the lock.
 */
export function digestConflict(entry: LockEntry, found: PinnedDigest): 'shape' | 'digest' | null {
  if ('any' in found) {
    if (!('any' in entry.sha256)) return 'shape';
    return entry.sha256.any === found.any ? null : 'digest';
  }
  if ('any' in entry.sha256) return 'shape';
  const pinned = Object.hasOwn(entry.sha256.platforms, found.platform)
    ? entry.sha256.platforms[found.platform]
    : undefined;
  return pinned === undefined || pinned === found.digest ? null : 'digest';
}

/**
 * A lock with one pin added or renewed; all other entries stay as and where they are. Platforms are merged
 * when version and shape agree. A person's pin makes an entry the operator's; a pin made by a running capsule
 * never changes whose entry it is. Disagreements are judged before, with `digestConflict`.
 * Spec: manifest, writing the lock.
 */
export function upsertLock(lock: Lock, pin: Pin): Lock {
  const present = lockEntry(lock, pin.name);
  const fresh = renewed(present, pin);
  const artifacts =
    present === undefined
      ? [...lock.artifacts, fresh]
      : lock.artifacts.map((entry) => (entry === present ? fresh : entry));
  return deepFreeze({ ...lock, artifacts });
}

/** A lock without one pin; the same lock when it holds none of that name. */
export function removeFromLock(lock: Lock, name: string): Lock {
  const artifacts = lock.artifacts.filter((entry) => entry.name !== name);
  return artifacts.length === lock.artifacts.length ? lock : deepFreeze({ ...lock, artifacts });
}

function renewed(present: LockEntry | undefined, pin: Pin): LockEntry {
  const entry = {
    name: pin.name,
    resolvedVersion: pin.version,
    sha256: mergedDigests(present, pin),
    extra: present?.extra ?? {},
  };
  if (pin.by === 'operator') return { ...entry, origin: 'operator' };
  if (present === undefined) return { ...entry, origin: 'runtime', session: pin.by.session };
  return present.session === undefined
    ? { ...entry, origin: present.origin }
    : { ...entry, origin: present.origin, session: present.session };
}

function mergedDigests(present: LockEntry | undefined, pin: Pin): LockedDigests {
  if ('any' in pin.sha256) return { any: pin.sha256.any };
  const { platform, digest } = pin.sha256;
  const merges = present?.resolvedVersion === pin.version && 'platforms' in present.sha256;
  const kept = merges && 'platforms' in present.sha256 ? present.sha256.platforms : {};
  return { platforms: { ...kept, [platform]: digest } };
}
