import { isMurmurError, MurmurError } from '@murmur/errors';
import { type ArtifactEntry, type Lock, type Pin, type PlatformTag, platformTag } from '@murmur/manifest';
import { type AdoptedPin, readLock, refuseConflict, writeLock } from '../lock/project-lock.js';
import { resolveInStores } from '../resolve/resolve-in-stores.js';
import type { ArtifactStore } from '../store/store.js';
import { operatorPin } from './pin.js';
import { type InstallProject, storedEntries } from './project.js';

export interface InstallDeclaredOptions {
  readonly project: InstallProject;
  /** Asked in this order: the project's, then the global one. */
  readonly stores: readonly ArtifactStore[];
  /** Default: this host's. */
  readonly platform?: PlatformTag | 'unknown';
}

/** A declared artifact that was found and pinned. */
export interface PinnedArtifact {
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
  /** Path of the archive in its store. */
  readonly file: string;
  readonly adopted: AdoptedPin | null;
}

/** What installing a project's manifest came to. */
export interface DeclaredInstallation {
  readonly installed: readonly PinnedArtifact[];
  /** One failure for each entry that could not be installed, in the manifest's order. */
  readonly failed: readonly {
    readonly name: string;
    readonly version: string;
    readonly error: MurmurError;
  }[];
}

/**
 * Installs what a project's manifest declares: every entry must already be in a store, because there is no
 * other source to ask. Each is checked and pinned in the lock; those that fail do not keep the others from
 * being pinned.
 *
 * Failures of an entry are returned: `E-REG-001` (in no store), `E-REG-002` (bytes are not the recorded
 * ones), `E-REG-005` (the lock says otherwise), failures of the disk. Thrown: `E-RUN-003` for a lock that
 * cannot be used, and failures of writing it. Implements `docs/spec/artifacts.md`, "Installing".
 */
export async function installDeclared(options: InstallDeclaredOptions): Promise<DeclaredInstallation> {
  const { project, stores, platform = platformTag() } = options;
  const lock = await readLock(project.root);
  const found: { readonly pin: Pin; readonly artifact: Omit<PinnedArtifact, 'adopted'> }[] = [];
  const failed: DeclaredInstallation['failed'][number][] = [];
  for (const entry of storedEntries(project.artifacts)) {
    try {
      found.push(await findDeclared(entry, stores, platform, lock));
    } catch (error) {
      if (!isMurmurError(error)) throw error;
      failed.push({ name: entry.name, version: entry.version, error });
    }
  }
  const pins = found.map(({ pin }) => pin);
  const adopted = pins.length === 0 ? [] : (await writeLock(project.root, pins)).adopted;
  return Object.freeze({
    installed: found.map(({ artifact }) => ({
      ...artifact,
      adopted: adopted.find(({ name }) => name === artifact.name) ?? null,
    })),
    failed,
  });
}

async function findDeclared(
  { name, version }: ArtifactEntry,
  stores: readonly ArtifactStore[],
  platform: PlatformTag | 'unknown',
  lock: Lock | null,
) {
  const resolved = await resolveInStores(stores, name, version, platform);
  if (resolved === null) {
    const problem =
      'it is in neither the project store nor the global store, and no other source is configured';
    throw new MurmurError({ variant: null, code: 'E-REG-001', name, version, problem });
  }
  const { sha256, file } = resolved;
  const pin = operatorPin({ name, version, platform: resolved.platform, sha256 });
  if (lock !== null) refuseConflict(lock, pin);
  return { pin, artifact: { name, version, sha256, file } };
}
