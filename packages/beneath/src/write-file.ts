import fs from 'node:fs';
import { sync, syncDirectory, writeAll, writeSome } from './descriptor-io.js';
import type { DirectoryHandle } from './directory-handle.js';
import { entryAt, kindReason } from './entries.js';
import { errnoOf, Problem, Refusal } from './failures.js';
import { wrongKind } from './read-file.js';
import { temporaryName } from './temporary-names.js';

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_WRONLY } = fs.constants;
const createFlags = O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY;

/** Replaces `name` by way of a temporary sibling: see `Beneath.write`. */
export async function replaceFile(
  directory: DirectoryHandle,
  name: Buffer,
  data: Buffer,
  { mode, durable }: { readonly mode: number; readonly durable: boolean },
): Promise<void> {
  const present = entryAt(directory, name)?.kind ?? 'file';
  if (present !== 'file') throw new Refusal(kindReason(present));
  const temporary = temporaryName();
  const fd = fs.openSync(directory.at(temporary), createFlags, 0o600);
  let renamed = false;
  try {
    await writeAll(fd, data);
    fs.fchmodSync(fd, mode);
    if (durable) await sync(fd);
    fs.renameSync(directory.at(temporary), directory.at(name));
    renamed = true;
    refuseUnlessPlaced(fd, directory, name);
  } finally {
    fs.closeSync(fd);
    if (!renamed) fs.rmSync(directory.at(temporary), { force: true });
  }
  if (durable) await syncDirectory(directory);
}

/**
 * Somebody who writes in this directory can put a file of theirs under the temporary name: the rename then
 * moved theirs. Nothing outside changed, but the caller must not believe that its data is in place.
 */
function refuseUnlessPlaced(fd: number, directory: DirectoryHandle, name: Buffer): void {
  const written = fs.fstatSync(fd, { bigint: true });
  const placed = fs.lstatSync(directory.at(name), { bigint: true, throwIfNoEntry: false });
  if (placed?.ino !== written.ino || placed.dev !== written.dev) {
    throw new Refusal('it was replaced while it was written');
  }
}

/** Adds to a regular file, creating it when missing: see `Beneath.append`. */
export async function appendToFile(
  directory: DirectoryHandle,
  name: Buffer,
  data: Buffer,
  mode: number,
): Promise<void> {
  const fd = openForAppend(directory, name, mode);
  try {
    // A second name for the same content may lie outside: an append would change it there too.
    if (fs.fstatSync(fd).nlink > 1) throw new Refusal('it has another hard link');
    const written = await writeSome(fd, data, 0);
    if (written !== data.length) {
      throw new Problem(`only ${written} of ${data.length} bytes were written`);
    }
  } finally {
    fs.closeSync(fd);
  }
}

function openForAppend(directory: DirectoryHandle, name: Buffer, mode: number): number {
  for (let attempt = 0; attempt < 8; attempt += 1) {
    try {
      const existing = directory.openRegularFile(name, O_WRONLY | O_APPEND);
      if (existing === null) throw wrongKind(directory, name);
      return existing;
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error;
    }
    try {
      const created = fs.openSync(directory.at(name), createFlags | O_APPEND, 0o600);
      fs.fchmodSync(created, mode);
      return created;
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error;
    }
  }
  throw new Refusal('it keeps appearing and vanishing');
}
