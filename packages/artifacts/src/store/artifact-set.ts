import type { Beneath } from '@murmur/beneath';
import { sha256Of } from '../sha256.js';
import { asideName, type SetNames } from './file-names.js';
import { orNullWhenMissing } from './place.js';

/** Largest archive a store reads. */
const maxArchiveBytes = 512 * 1024 * 1024;
const maxSidecarBytes = 64 * 1024;

/** What is on disk for one variant. */
export interface StoredSet {
  readonly bytes: Buffer;
  /** The digest recorded beside the bytes, or null when the file holds none. */
  readonly recordedSha256: string | null;
  /** The digest of the bytes. */
  readonly sha256: string;
  readonly metaText: string | null;
}

/** Whether both files of the pair are there. */
export async function hasSet(directory: Beneath, names: SetNames): Promise<boolean> {
  const kinds = await Promise.all([directory.stat(names.zip), directory.stat(names.sha256)]);
  return kinds.every((entry) => entry !== null);
}

/** Reads a variant; null unless both files of the pair are there. */
export async function readSet(directory: Beneath, names: SetNames): Promise<StoredSet | null> {
  const bytes = await orNullWhenMissing(directory.read(names.zip, { maxBytes: maxArchiveBytes }));
  const recorded = await orNullWhenMissing(directory.read(names.sha256, { maxBytes: maxSidecarBytes }));
  if (bytes === null || recorded === null) return null;
  const meta = await orNullWhenMissing(directory.read(names.meta, { maxBytes: maxSidecarBytes }));
  const text = recorded.toString('utf8').trim();
  return {
    bytes,
    recordedSha256: /^[0-9a-f]{64}$/.test(text) ? text : null,
    sha256: sha256Of(bytes),
    metaText: meta?.toString('utf8') ?? null,
  };
}

/** Whether a variant is whole: its bytes are what its digest says. */
export function isWhole(set: StoredSet | null): set is StoredSet {
  return set !== null && set.recordedSha256 === set.sha256;
}

/**
 * Puts a variant in place of whatever is there. Only for the holder of the directory. The old files step
 * aside first and come back when anything fails; a process killed anywhere in here leaves either a whole
 * variant or one that {@link restoreSet} makes whole.
 */
export async function replaceSet(
  directory: Beneath,
  names: SetNames,
  content: { readonly bytes: Buffer; readonly sha256: string; readonly metaText: string },
): Promise<void> {
  const incoming = { zip: `.new-${names.zip}`, sha256: `.new-${names.sha256}`, meta: `.new-${names.meta}` };
  try {
    await directory.write(incoming.zip, content.bytes);
    await directory.write(incoming.sha256, `${content.sha256}\n`);
    await directory.write(incoming.meta, content.metaText);
    // The digest goes last out and comes in after the bytes: without it nobody takes the bytes for anything.
    for (const member of [names.sha256, names.zip, names.meta])
      await moveIfThere(directory, member, asideName(member));
    await directory.rename(incoming.zip, names.zip);
    await directory.rename(incoming.sha256, names.sha256);
    await directory.rename(incoming.meta, names.meta);
  } catch (error) {
    for (const member of Object.values(incoming)) await directory.remove(member);
    await restoreSet(directory, names);
    throw error;
  }
  await removeAside(directory, names);
}

/** Cleans up after an interrupted {@link replaceSet}: keeps the new variant if it is whole, else the old one. */
export async function restoreSet(directory: Beneath, names: SetNames): Promise<void> {
  const members = [names.zip, names.sha256, names.meta];
  for (const member of members) await directory.remove(`.new-${member}`);
  if (isWhole(await readSet(directory, names))) {
    await removeAside(directory, names);
    return;
  }
  for (const member of members) await moveIfThere(directory, asideName(member), member);
}

async function removeAside(directory: Beneath, names: SetNames): Promise<void> {
  for (const member of [names.zip, names.sha256, names.meta]) await directory.remove(asideName(member));
}

async function moveIfThere(directory: Beneath, from: string, to: string): Promise<void> {
  await orNullWhenMissing(directory.rename(from, to));
}
