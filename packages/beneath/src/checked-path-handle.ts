import fs from 'node:fs';
import path from 'node:path';
import type { DirectoryHandle, Identity } from './directory-handle.js';

/**
 * Systems without `/proc/self/fd`: every use checks first that the directory is still the one that was
 * opened and that its path holds no link. A swap between that check and the call is not noticed: this is
 * the weaker promise.
 */
export function checkedPathHandle(root: string): DirectoryHandle {
  return handleOf(Buffer.from(fs.realpathSync.native(root)));
}

function handleOf(directory: Buffer): DirectoryHandle {
  const opened = fs.lstatSync(nameFor(directory), { bigint: true });
  if (!opened.isDirectory()) throw errnoError('ENOTDIR', 'not a directory', nameFor(directory));
  const self = (): Buffer | string => {
    const now = fs.lstatSync(nameFor(directory), { bigint: true });
    const real = fs.realpathSync.native(nameFor(directory));
    if (now.ino !== opened.ino || now.dev !== opened.dev || real !== directory.toString('utf8')) {
      throw errnoError('ELOOP', 'the directory was replaced', nameFor(directory));
    }
    return nameFor(directory);
  };
  const at = (name: Buffer): Buffer | string => {
    self();
    return nameFor(childOf(directory, name));
  };
  return {
    at,
    self,
    identity: (): Identity => ({ dev: opened.dev, ino: opened.ino }),
    openDirectory: (name) => {
      at(name);
      return handleOf(childOf(directory, name));
    },
    openRegularFile: (name, flags) => {
      const file = at(name);
      const before = fs.lstatSync(file, { bigint: true });
      if (!before.isFile()) return null;
      const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 } = fs.constants;
      const fd = fs.openSync(file, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
      const after = fs.fstatSync(fd, { bigint: true });
      if (after.ino === before.ino && after.dev === before.dev) return fd;
      fs.closeSync(fd);
      throw errnoError('ELOOP', 'the file was replaced while it was opened', file);
    },
    duplicate: () => {
      self();
      return handleOf(directory);
    },
    close: () => {},
  };
}

function childOf(directory: Buffer, name: Buffer): Buffer {
  return Buffer.concat([directory, Buffer.from(path.sep), name]);
}

/** Windows takes paths as text only. */
function nameFor(file: Buffer): Buffer | string {
  return process.platform === 'win32' ? file.toString('utf8') : file;
}

function errnoError(code: string, message: string, file: Buffer | string): Error {
  return Object.assign(new Error(`${code}: ${message}, '${file.toString()}'`), { code });
}
