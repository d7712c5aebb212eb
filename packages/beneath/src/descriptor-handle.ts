import fs from 'node:fs';
import type { DirectoryHandle, Identity } from './directory-handle.js';
import { Problem } from './failures.js';

// Not in fs.constants: a descriptor that only stands for a place in the tree and grants no access to it.
const O_PATH = 0o10000000;
const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = fs.constants;
const directoryFlags = O_PATH | O_DIRECTORY | O_NOFOLLOW;

/**
 * Linux: `/proc/self/fd/<descriptor>/<name>` starts at the very directory that was opened, wherever it has
 * been moved to since, and `O_NOFOLLOW` covers the one segment that is left. Node closes descriptors on
 * exec by itself.
 */
export function descriptorHandle(path: string): DirectoryHandle {
  const fd = fs.openSync(path, O_PATH | O_DIRECTORY);
  try {
    // Fail closed where /proc is missing or belongs to another pid namespace.
    const seen = fs.statSync(`/proc/self/fd/${fd}`, { bigint: true });
    const held = fs.fstatSync(fd, { bigint: true });
    if (seen.ino !== held.ino || seen.dev !== held.dev)
      throw new Problem('/proc/self/fd does not show this process');
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
  return handleOf(fd);
}

function handleOf(fd: number): DirectoryHandle {
  const prefix = Buffer.from(`/proc/self/fd/${fd}/`);
  const at = (name: Buffer): Buffer => Buffer.concat([prefix, name]);
  return {
    at,
    self: () => `/proc/self/fd/${fd}`,
    identity: (): Identity => {
      const { dev, ino } = fs.fstatSync(fd, { bigint: true });
      return { dev, ino };
    },
    openDirectory: (name) => handleOf(fs.openSync(at(name), directoryFlags)),
    openRegularFile: (name, flags) => {
      // The kind is decided on a descriptor that cannot touch the file: opening a FIFO, a tape or a
      // watchdog for real would already be an effect.
      const place = fs.openSync(at(name), O_PATH | O_NOFOLLOW);
      try {
        if (!fs.fstatSync(place).isFile()) return null;
        return fs.openSync(`/proc/self/fd/${place}`, flags | O_NONBLOCK | O_NOCTTY);
      } finally {
        fs.closeSync(place);
      }
    },
    // No O_NOFOLLOW: this last segment is the kernel's own link to the directory that is held.
    duplicate: () => handleOf(fs.openSync(`/proc/self/fd/${fd}`, O_PATH | O_DIRECTORY)),
    close: () => fs.closeSync(fd),
  };
}
