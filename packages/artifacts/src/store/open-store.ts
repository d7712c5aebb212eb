import path from 'node:path';
import type { Beneath } from '@murmur/beneath';
import { MurmurError } from '@murmur/errors';
import { type PlatformTag, parseArtifactName } from '@murmur/manifest';
import { exclusively } from '../lock/exclusive.js';
import { sha256Of } from '../sha256.js';
import { hasSet, isWhole, readSet, replaceSet, restoreSet, type StoredSet } from './artifact-set.js';
import { asideName, type SetNames, setNames, versionDirectory } from './file-names.js';
import { listStore } from './list-store.js';
import { formatMeta, readMeta } from './meta.js';
import { createPlace, openPlace, orNullWhenMissing, type StorePlace } from './place.js';
import type { ArtifactStore, Installation, ResolvedArtifact } from './store.js';

/** The store in a directory of the caller's choice. Nothing is touched before it is used. */
export function openStore(root: string): ArtifactStore {
  return storeAt({ base: root, below: [] });
}

/** The store of a project: `.murmur/artifacts` in the directory that holds its `murmur.yaml`. */
export function openProjectStore(projectRoot: string): ArtifactStore {
  return storeAt({
    base: projectRoot,
    below: [
      { path: '.murmur', mode: 0o755 },
      { path: '.murmur/artifacts', mode: 0o755 },
    ],
  });
}

/** The store of an account: `.murmur/artifacts` in its home, whose `.murmur` is private when made here. */
export function openGlobalStore(home: string): ArtifactStore {
  return storeAt({
    base: home,
    below: [
      { path: '.murmur', mode: 0o700 },
      { path: '.murmur/artifacts', mode: 0o755 },
    ],
  });
}

function storeAt(place: StorePlace): ArtifactStore {
  const root = path.join(place.base, place.below.at(-1)?.path ?? '.');
  const variants = (platform: PlatformTag | 'unknown') =>
    platform === 'unknown' ? [null] : ([platform, null] as const);

  /** Runs an action in the directory of a version; null when there is none. */
  const inVersion = async <T>(
    name: string,
    version: string,
    action: (directory: Beneath, relative: string) => Promise<T | null>,
  ): Promise<T | null> => {
    const relative = versionDirectory(name, version);
    const store = relative === null ? null : await openPlace(place);
    if (relative === null || store === null) return null;
    await using opened = store;
    const directory = await orNullWhenMissing(opened.open(relative));
    if (directory === null) return null;
    await using held = directory;
    return await action(held, relative);
  };

  return {
    root,
    has: async (name, version, platform) =>
      (await inVersion(name, version, async (directory) => {
        for (const variant of variants(platform)) {
          const names = setNames(name, version, variant);
          if (await isFiled(directory, names)) return true;
        }
        return null;
      })) ?? false,
    resolve: (name, version, platform) =>
      inVersion(name, version, async (directory, relative): Promise<ResolvedArtifact | null> => {
        for (const variant of variants(platform)) {
          const names = setNames(name, version, variant);
          const set = await readSettled(directory, names);
          if (set === null) continue;
          if (!isWhole(set)) throw new MurmurError({ variant: 'ArtifactIntegrityFailed', name, version });
          return Object.freeze({
            name,
            version,
            platform: variant,
            bytes: set.bytes,
            sha256: set.sha256,
            meta: readMeta(set.metaText, { name, version }),
            file: path.join(root, relative, names.zip),
          });
        }
        return null;
      }),
    fingerprint: (name, version, platform) =>
      inVersion(name, version, async (directory) => {
        for (const variant of variants(platform)) {
          const set = await readSettled(directory, setNames(name, version, variant));
          if (set !== null) return { recorded: set.recordedSha256, actual: set.sha256 };
        }
        return null;
      }),
    install: (installation) => install(place, root, installation),
    list: async () => {
      const store = await openPlace(place);
      if (store === null) return [];
      await using opened = store;
      return await listStore(opened);
    },
  };
}

/**
 * Reads a variant. One that another process is replacing, or was when it died, is waited for and mended; one
 * that was replaced between the reading of its files is read again.
 */
async function readSettled(directory: Beneath, names: SetNames): Promise<StoredSet | null> {
  let set: StoredSet | null = null;
  for (let look = 0; look < 3; look += 1) {
    set = await readSet(directory, names);
    if (isWhole(set)) return set;
    if (await wasInterrupted(directory, names)) {
      return await exclusively(directory, async () => {
        await restoreSet(directory, names);
        return await readSet(directory, names);
      });
    }
  }
  return set;
}

/** Asked twice: an installer may have finished between the first look and the second. */
async function isFiled(directory: Beneath, names: SetNames): Promise<boolean> {
  if ((await hasSet(directory, names)) || (await wasInterrupted(directory, names))) return true;
  return await hasSet(directory, names);
}

async function wasInterrupted(directory: Beneath, names: SetNames): Promise<boolean> {
  return (await directory.stat(asideName(names.sha256))) !== null;
}

async function install(
  place: StorePlace,
  root: string,
  { name, version, platform, bytes, meta }: Installation,
): Promise<{ readonly file: string; readonly unchanged: boolean }> {
  const relative = versionDirectory(name, version);
  if (relative === null || parseArtifactName(name) === null) {
    const message = 'its name or version cannot be a file name';
    throw new MurmurError({ variant: 'ArtifactArchive', name, version, message });
  }
  const names = setNames(name, version, platform);
  const sha256 = sha256Of(bytes);
  const metaText = formatMeta(meta);
  await using store = await createPlace(place);
  await store.makeDirectory(relative, { parents: true });
  await using directory = await store.open(relative);
  const unchanged = await exclusively(directory, async () => {
    await restoreSet(directory, names);
    const present = await readSet(directory, names);
    const same = isWhole(present) && present.sha256 === sha256;
    if (!same || present.metaText !== metaText)
      await replaceSet(directory, names, { bytes, sha256, metaText });
    return same;
  });
  return { file: path.join(root, relative, names.zip), unchanged };
}
