import fs from 'node:fs';
import type { DirectoryHandle } from './directory-handle.js';
import { errnoOf } from './failures.js';
import type { BeneathEntry, BeneathKind } from './types.js';

/** What an entry is, never what it points to. */
function kindOf(stats: fs.Stats): BeneathKind {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'link' : 'other';
}

/** Why a kind of entry is refused, in words. */
export function kindReason(kind: BeneathKind): string {
  if (kind === 'link') return 'it is a symbolic link';
  if (kind === 'directory') return 'it is a directory';
  return kind === 'file' ? 'it is not a directory' : 'it is neither a regular file nor a directory';
}

export function entryOf(name: Buffer, stats: fs.Stats): BeneathEntry {
  return Object.freeze({
    name: name.toString('utf8'),
    nameBytes: name,
    kind: kindOf(stats),
    sizeBytes: stats.size,
    mtimeMs: stats.mtimeMs,
    mode: stats.mode & 0o7777,
    nlink: stats.nlink,
  });
}

/** The entry of one name, or null when nothing is there. */
export function entryAt(directory: DirectoryHandle, name: Buffer): BeneathEntry | null {
  try {
    return entryOf(name, fs.lstatSync(directory.at(name)));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** All names of a directory, sorted by their bytes. */
export async function namesIn(directory: DirectoryHandle): Promise<Buffer[]> {
  const names = await fs.promises.readdir(directory.self(), { encoding: 'buffer' });
  return names.map((name) => Buffer.from(name)).sort(Buffer.compare);
}
