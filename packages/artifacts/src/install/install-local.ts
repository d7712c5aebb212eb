import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { openBeneath } from '@murmur/beneath';
import { MurmurError, osError, type WarningCondition } from '@murmur/errors';
import { bareNameProblem, lockEntry, type Pin, type PlatformTag, platformTag } from '@murmur/manifest';
import { decompressionLimitBytes } from '../decompression-limit.js';
import {
  type AdoptedPin,
  type LockWrite,
  readLock,
  refuseConflict,
  writeLock,
} from '../lock/project-lock.js';
import { type OpenedArtifact, openUnnamedArtifact } from '../open-artifact.js';
import { packInMemory } from '../pack/pack-artifact.js';
import { sha256Of } from '../sha256.js';
import type { ReadInterfaces } from '../store/meta.js';
import type { ArtifactStore } from '../store/store.js';
import { describe } from './describe.js';
import { operatorPin } from './pin.js';
import type { InstallProject } from './project.js';

export interface InstallLocalOptions {
  /** An archive, or a directory with a `murmur.yaml` that is packed first. */
  readonly ref: string;
  /** Where it is filed. */
  readonly store: ArtifactStore;
  /** The project whose lock may pin it; null for the global store, which no lock governs. */
  readonly project: InstallProject | null;
  /** The caller's environment, for `MURMUR_MAX_ARTIFACT_DECOMPRESSED_BYTES`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly readInterfaces: ReadInterfaces;
  /** Default: this host's. */
  readonly platform?: PlatformTag | 'unknown';
}

/** What an installation did, for a command to print. */
export interface InstalledArtifact {
  readonly name: string;
  readonly version: string;
  readonly platform: PlatformTag | null;
  readonly sha256: string;
  /** Path of the archive in the store. */
  readonly file: string;
  /** Whether the store held these very bytes before. */
  readonly unchanged: boolean;
  /** Whether the project's lock pins it now. */
  readonly locked: boolean;
  readonly adopted: AdoptedPin | null;
  /** What packing a directory warned about. */
  readonly warnings: readonly WarningCondition[];
  /** The artifact as it was read, so that its component can be compiled ahead of the first run. */
  readonly artifact: OpenedArtifact;
}

/**
 * Files an artifact from a local archive or directory in a store. Where the project's manifest declares that
 * name and version, the lock pins its bytes as the operator's.
 *
 * All checks come first: nothing is filed and nothing pinned when one fails. Throws `E-IO-001` (no such file,
 * or a directory without `murmur.yaml`), `ArtifactArchive` (`E-IO-003`), `E-REG-005` (the lock pins something
 * else under this name), `E-RUN-003` (the lock cannot be used), the codes of packing and of the store.
 * Implements `docs/spec/artifacts.md`, "Installing".
 */
export async function installLocal(options: InstallLocalOptions): Promise<InstalledArtifact> {
  const { project, store } = options;
  const { bytes, warnings } = await readReference(options);
  const label = { name: path.basename(options.ref), version: 'unknown' };
  const maxDecompressedBytes = decompressionLimitBytes(options.env);
  const artifact = await openUnnamedArtifact(bytes, { ...label, maxDecompressedBytes });
  const { name, version } = artifact.manifest;
  refuseUnlessNamed(name, version);
  const platform = platformOf(artifact, options.platform ?? platformTag());
  const meta = {
    ...(await describe(artifact, options.readInterfaces)),
    platforms: platform === null ? [] : [platform],
  };
  const sha256 = sha256Of(bytes);
  const pin = operatorPin({ name, version, platform, sha256 });
  const filing = () => store.install({ name, version, platform, bytes, meta });
  const { filed, written } =
    project === null ? { filed: await filing(), written: null } : await fileAndPin(project, pin, filing);
  return Object.freeze({
    name,
    version,
    platform,
    sha256,
    ...filed,
    locked: written !== null,
    adopted: written?.adopted[0] ?? null,
    warnings,
    artifact,
  });
}

/** Files and pins, or does neither: whether the lock agrees is known before anything is filed. */
async function fileAndPin<T>(
  project: InstallProject,
  pin: Pin,
  filing: () => Promise<T>,
): Promise<{ readonly filed: T; readonly written: LockWrite | null }> {
  const { name, version } = pin;
  const declared = project.artifacts.some(
    (entry) => entry.source === undefined && entry.name === name && entry.version === version,
  );
  if (!declared) {
    const lock = await readLock(project.root);
    // A pin of this very version holds although nothing declares it any more; one of another is out of use.
    if (lock !== null && lockEntry(lock, name)?.resolvedVersion === version) refuseConflict(lock, pin);
    return { filed: await filing(), written: null };
  }
  const filed: T[] = [];
  const beforeWriting = async () => void filed.push(await filing());
  const written = await writeLock(project.root, [pin], { beforeWriting });
  const [result] = filed;
  if (result === undefined) throw new Error('the lock was written before the artifact was filed');
  return { filed: result, written };
}

async function readReference(
  options: InstallLocalOptions,
): Promise<{ readonly bytes: Buffer; readonly warnings: readonly WarningCondition[] }> {
  const { ref, env } = options;
  if (await isDirectory(ref)) return await packInMemory({ directory: ref, env });
  // Opened by its directory, so that a FIFO or device under this name is refused rather than read for ever.
  const file = await realpath(ref);
  await using directory = await openBeneath(path.dirname(file));
  return { bytes: await directory.read(path.basename(file)), warnings: [] };
}

async function isDirectory(ref: string): Promise<boolean> {
  try {
    return (await stat(ref)).isDirectory();
  } catch (error) {
    const source = osError(error);
    if (source.code === 'ENOENT' || source.code === 'ENOTDIR') {
      throw new MurmurError(
        { variant: null, code: 'E-IO-001', what: 'artifact', path: ref },
        { cause: error },
      );
    }
    throw new MurmurError(
      source.code === 'EACCES'
        ? { variant: null, code: 'E-IO-002', operation: 'read', path: ref, source }
        : { variant: null, code: 'E-IO-003', operation: 'read', path: ref, reason: source.message },
      { cause: error },
    );
  }
}

function refuseUnlessNamed(name: string, version: string): void {
  const problem = bareNameProblem(name);
  if (problem === null) return;
  throw new MurmurError({ variant: 'ArtifactArchive', name, version, message: `its name ${problem}` });
}

function platformOf(artifact: OpenedArtifact, host: PlatformTag | 'unknown'): PlatformTag | null {
  if (artifact.payloadKind !== 'native') return null;
  if (host !== 'unknown') return host;
  const { name, version } = artifact.manifest;
  const message = 'it is a program for one platform, and this host is none of those that are known';
  throw new MurmurError({ variant: 'ArtifactArchive', name, version, message });
}
