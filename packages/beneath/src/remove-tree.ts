import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { breather } from './breathe.js';
import type { DirectoryHandle } from './directory-handle.js';
import { namesIn } from './entries.js';
import { errnoOf, Problem } from './failures.js';

/** Levels kept open at once; a directory deeper than this is moved up before it is emptied. */
const openAtOnce = 64;
/** How often a directory that keeps gaining entries is emptied again. */
const attempts = 64;

interface Frame {
  readonly name: Buffer;
  readonly parent: DirectoryHandle;
  readonly handle: DirectoryHandle;
  names: Buffer[];
  emptied: number;
}

/**
 * Removes a name: a file or link itself, a directory with all below it. Works by descriptors only, so a
 * directory exchanged for a link is unlinked as the link it became. A deep tree is flattened on the way:
 * what lies too deep moves up into the top directory under a random name, inside the tree being removed.
 */
export async function removeTree(parent: DirectoryHandle, name: Buffer): Promise<void> {
  const top = unlinkOrOpen(parent, name);
  if (top === null) return;
  const breathe = breather(256);
  const stack: Frame[] = [{ name, parent, handle: top, names: [], emptied: 0 }];
  try {
    for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
      await breathe();
      const next = frame.names.pop();
      if (next !== undefined) {
        removeOne(stack, frame, next, top);
      } else if (finish(frame)) {
        stack.pop();
        frame.handle.close();
      } else {
        frame.names = await namesIn(frame.handle);
      }
    }
  } finally {
    for (const frame of stack) frame.handle.close();
  }
}

function removeOne(stack: Frame[], frame: Frame, name: Buffer, top: DirectoryHandle): void {
  const handle = unlinkOrOpen(frame.handle, name);
  if (handle === null) return;
  if (stack.length < openAtOnce) {
    stack.push({ name, parent: frame.handle, handle, names: [], emptied: 0 });
    return;
  }
  handle.close();
  const moved = Buffer.from(`.murmur-removed-${randomBytes(12).toString('hex')}`);
  try {
    fs.renameSync(frame.handle.at(name), top.at(moved));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return;
    throw error;
  }
  stack[0]?.names.push(moved);
}

/** Removes a name that is not a directory, or opens the directory it is. Null when nothing is left to do. */
function unlinkOrOpen(parent: DirectoryHandle, name: Buffer): DirectoryHandle | null {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    try {
      fs.unlinkSync(parent.at(name));
      return null;
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return null;
      if (errnoOf(error) !== 'EISDIR' && errnoOf(error) !== 'EPERM') throw error;
      const directory = openIfStillDirectory(parent, name, error);
      if (directory !== null) return directory;
    }
  }
  throw new Problem('an entry keeps changing between a directory and something else');
}

function openIfStillDirectory(
  parent: DirectoryHandle,
  name: Buffer,
  unlinkError: unknown,
): DirectoryHandle | null {
  try {
    const directory = parent.openDirectory(name);
    giveOwnerAccess(directory);
    return directory;
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT') return null;
    if (errno !== 'ENOTDIR' && errno !== 'ELOOP') throw error;
    // Not a directory although unlink said EPERM: an immutable file, which stays the failure it is.
    if (errnoOf(unlinkError) === 'EPERM') throw unlinkError;
    return null;
  }
}

/** A directory that its owner made unreadable or unwritable must not be a way to keep it. */
function giveOwnerAccess(directory: DirectoryHandle): void {
  try {
    const { mode } = fs.statSync(directory.self());
    if ((mode & 0o700) !== 0o700) fs.chmodSync(directory.self(), (mode & 0o7777) | 0o700);
  } catch {
    // Somebody else's directory: emptying it says what is wrong, if anything is.
  }
}

/** Removes a directory believed to be empty. False when it must be listed first, or again. */
function finish(frame: Frame): boolean {
  frame.emptied += 1;
  if (frame.emptied > attempts) {
    throw new Problem('a directory keeps gaining entries while it is removed');
  }
  try {
    fs.rmdirSync(frame.parent.at(frame.name));
    return true;
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT') return true;
    if (errno === 'ENOTEMPTY' || errno === 'EEXIST') return false;
    if (errno !== 'ENOTDIR') throw error;
    // Exchanged for a link or a file since it was opened.
    fs.rmSync(frame.parent.at(frame.name), { force: true });
    return true;
  }
}
