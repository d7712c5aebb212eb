import fs from 'node:fs';
import type { DirectoryHandle } from './directory-handle.js';
import { errnoOf } from './failures.js';

/** Writes everything, or throws. */
export async function writeAll(fd: number, data: Buffer): Promise<void> {
  for (let from = 0; from < data.length; ) from += await writeSome(fd, data, from);
}

/** One write call: what `O_APPEND` keeps whole beside other writers. */
export function writeSome(fd: number, data: Buffer, from: number): Promise<number> {
  return new Promise((resolve, reject) => {
    fs.write(fd, data, from, data.length - from, null, (error, written) =>
      error === null ? resolve(written) : reject(error),
    );
  });
}

export function sync(fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fs.fsync(fd, (error) => (error === null ? resolve() : reject(error)));
  });
}

/** Makes renames and new names in a directory survive a crash, where the system lets a directory be synced. */
export async function syncDirectory(directory: DirectoryHandle): Promise<void> {
  let fd: number;
  try {
    fd = fs.openSync(directory.self(), fs.constants.O_RDONLY | (fs.constants.O_DIRECTORY ?? 0));
  } catch (error) {
    // A directory that may be searched but not listed cannot be synced; Windows cannot open one at all.
    if (['EACCES', 'EPERM', 'EISDIR'].includes(errnoOf(error) ?? '')) return;
    throw error;
  }
  try {
    await sync(fd);
  } catch (error) {
    if (!['EINVAL', 'EPERM', 'ENOTSUP'].includes(errnoOf(error) ?? '')) throw error;
  } finally {
    fs.closeSync(fd);
  }
}
