import { checkedPathHandle } from './checked-path-handle.js';
import { descriptorHandle } from './descriptor-handle.js';

/** What tells one directory from another, whatever it is called. */
export interface Identity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/**
 * A directory that names inside it are resolved against, one at a time. Methods throw the plain errors of
 * `node:fs`.
 */
export interface DirectoryHandle {
  /** Path of one name in this directory, for calls that do not follow a link in the last segment. */
  at(name: Buffer): Buffer | string;
  /** Path of the directory itself. */
  self(): Buffer | string;
  identity(): Identity;
  /** Opens a directory in it; `ENOTDIR` or `ELOOP` when the name is anything else. */
  openDirectory(name: Buffer): DirectoryHandle;
  /** Opens an existing regular file, or returns null when the name is something else. Never opens a device. */
  openRegularFile(name: Buffer, flags: number): number | null;
  /** The same directory under a handle of its own. */
  duplicate(): DirectoryHandle;
  close(): void;
}

/** Opens the directory that everything else is relative to. Links in this path are the caller's own. */
export function openRootHandle(path: string): DirectoryHandle {
  return process.platform === 'linux' ? descriptorHandle(path) : checkedPathHandle(path);
}
