import { join } from 'node:path';
import { type Beneath, openBeneath } from '@murmur/beneath';
import { MurmurError } from '@murmur/errors';
import { defaults } from '../limits.js';
import { type CachedFile, MANIFEST_NAME, readManifest, sha256Hex, writeManifest } from './cache-manifest.js';
import { readNote, writeNote } from './notes.js';
import { openOrNull, PRIVATE_DIRECTORY, PRIVATE_FILE, readOrNull } from './private-files.js';
import { scratchName, sweepScratch } from './scratch.js';
import { readSecret } from './secret.js';

/** The files of one compiled form by name. */
export type CompiledFiles = ReadonlyMap<string, Uint8Array>;

/**
 * The compiled forms on disk (docs/spec/components.md, "Cache"):
 *
 *     <cache>/secret/key           32 random bytes
 *     <cache>/compiled/<key>/      manifest.json, component.js, component.core*.wasm
 *     <cache>/notes/<key>-<name>   texts kept beside an entry, each with its code
 *     <cache>/scratch/<pid>-<id>/  entries being written
 *
 * An entry appears by one rename and is complete from then on.
 */
export interface CompiledCache {
  directoryOf(key: string): string;
  /** All files of an entry, each compared with its hash; null when there is no entry to be trusted. */
  load(key: string): Promise<CompiledFiles | null>;
  store(key: string, files: CompiledFiles): Promise<void>;
  /** A text kept for an entry under a name; null when there is none to be trusted. */
  readNote(key: string, name: string): Promise<string | null>;
  writeNote(key: string, name: string, text: string): Promise<void>;
}

async function refuseSharedDirectory(root: Beneath, path: string): Promise<void> {
  for (const name of ['.', 'compiled', 'notes', 'scratch']) {
    const entry = await root.stat(name);
    if (entry !== null && (entry.mode & 0o022) === 0) continue;
    throw new MurmurError({
      variant: null,
      code: 'E-IO-003',
      operation: 'use the cache of compiled components',
      path: name === '.' ? path : join(path, name),
      reason: 'other accounts can write to it (make it mode 0700)',
    });
  }
}

async function loadEntry(root: Beneath, key: string, secret: Uint8Array): Promise<CompiledFiles | null> {
  await using entry = await openOrNull(root, `compiled/${key}`);
  if (entry === null) return null;
  const manifest = await readOrNull(entry, MANIFEST_NAME, 4 * 1024 * 1024);
  const listed = manifest === null ? null : readManifest(manifest.toString('utf8'), key, secret);
  if (listed === null) return null;
  const total = listed.reduce((sum, file) => sum + file.sizeBytes, 0);
  if (total > defaults.compiledBytes) return null;
  const files = new Map<string, Uint8Array>();
  for (const { name, sizeBytes, sha256 } of listed) {
    const content = await readOrNull(entry, name, sizeBytes);
    if (content === null || content.length !== sizeBytes || sha256Hex(content) !== sha256) return null;
    files.set(name, content);
  }
  return files;
}

async function writeEntry(
  root: Beneath,
  scratch: string,
  key: string,
  files: CompiledFiles,
  secret: Uint8Array,
): Promise<void> {
  await root.makeDirectory(scratch, { mode: PRIVATE_DIRECTORY });
  const listed: CachedFile[] = [];
  for (const [name, content] of files) {
    await root.write(`${scratch}/${name}`, content, { mode: PRIVATE_FILE });
    listed.push({ name, sizeBytes: content.length, sha256: sha256Hex(content) });
  }
  await root.write(`${scratch}/${MANIFEST_NAME}`, writeManifest(key, listed, secret), { mode: PRIVATE_FILE });
}

/** Puts a written entry in place. An entry already there stays when it is sound: somebody was faster. */
async function placeEntry(root: Beneath, scratch: string, key: string, secret: Uint8Array): Promise<void> {
  const target = `compiled/${key}`;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await root.rename(scratch, target);
      return;
    } catch (error) {
      if ((await loadEntry(root, key, secret)) !== null) return;
      if (attempt === 3) throw error;
      await root.remove(target);
    }
  }
}

/** Tried twice: a process that cannot see this one, in a container of its own say, may have swept its scratch. */
async function storeEntry(
  root: Beneath,
  key: string,
  files: CompiledFiles,
  secret: Uint8Array,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const scratch = scratchName();
    try {
      await writeEntry(root, scratch, key, files, secret);
      await placeEntry(root, scratch, key, secret);
      return;
    } catch (error) {
      if (attempt === 2 || !(error instanceof MurmurError)) throw error;
    } finally {
      await root.remove(scratch);
    }
  }
}

/** Opens the cache below `path`, making it private (0700) where it does not exist yet. */
export function openCompiledCache(path: string): CompiledCache {
  let swept = false;

  async function withRoot<T>(work: (root: Beneath, secret: Uint8Array) => Promise<T>): Promise<T> {
    await using root = await openBeneath(path, { create: true, mode: PRIVATE_DIRECTORY, noFollow: true });
    await root.makeDirectory('compiled', { mode: PRIVATE_DIRECTORY, parents: true });
    await root.makeDirectory('notes', { mode: PRIVATE_DIRECTORY, parents: true });
    await root.makeDirectory('scratch', { mode: PRIVATE_DIRECTORY, parents: true });
    await refuseSharedDirectory(root, path);
    if (!swept) {
      swept = true;
      await sweepScratch(root);
    }
    return await work(root, await readSecret(root));
  }

  return {
    directoryOf: (key) => join(path, 'compiled', key),
    load: (key) => withRoot((root, secret) => loadEntry(root, key, secret)),
    store: (key, files) => withRoot((root, secret) => storeEntry(root, key, files, secret)),
    readNote: (key, name) => withRoot((root, secret) => readNote(root, key, name, secret)),
    writeNote: (key, name, text) => withRoot((root, secret) => writeNote(root, key, name, text, secret)),
  };
}
