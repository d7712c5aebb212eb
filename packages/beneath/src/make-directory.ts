import fs from 'node:fs';
import { inDirectory } from './descend.js';
import type { DirectoryHandle } from './directory-handle.js';
import { entryAt, kindReason } from './entries.js';
import { errnoOf, Refusal } from './failures.js';
import { joined } from './segments.js';

interface MakeOptions {
  readonly mode: number;
  readonly parents: boolean;
}

/** Makes one directory and, with `parents`, what is missing above it: see `Beneath.makeDirectory`. */
export async function makeDirectoryBelow(
  root: DirectoryHandle,
  segments: readonly Buffer[],
  options: MakeOptions,
): Promise<void> {
  const first = options.parents ? 1 : segments.length;
  for (let count = first; count <= segments.length; count += 1) {
    const path = segments.slice(0, count);
    await inDirectory(root, path.slice(0, -1), (directory) => makeOne(directory, path, options));
  }
}

function makeOne(directory: DirectoryHandle, path: readonly Buffer[], options: MakeOptions): void {
  const name = path.at(-1) ?? Buffer.alloc(0);
  try {
    fs.mkdirSync(directory.at(name), { mode: options.mode });
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
    const kind = entryAt(directory, name)?.kind ?? 'directory';
    if (kind !== 'directory') throw new Refusal(kindReason(kind), joined(path));
    if (!options.parents) throw error;
    return;
  }
  const made = directory.openDirectory(name);
  try {
    fs.chmodSync(made.self(), options.mode);
  } finally {
    made.close();
  }
}
