import type { DirectoryHandle } from './directory-handle.js';
import { entryAt, kindReason } from './entries.js';
import { errnoOf, Refusal } from './failures.js';
import { joined } from './segments.js';

/** An ancestor is missing; callers decide whether that is a failure. Otherwise it reads as `ENOENT`. */
export class MissingAncestor extends Error {
  readonly code = 'ENOENT';
}

/**
 * Runs an action in the directory named by `segments` below `root`, opened one segment at a time. A link or
 * a file on the way is refused, naming the segment; a missing one throws {@link MissingAncestor}.
 */
export async function inDirectory<T>(
  root: DirectoryHandle,
  segments: readonly Buffer[],
  action: (directory: DirectoryHandle) => Promise<T> | T,
): Promise<T> {
  const directory = descend(root, segments);
  try {
    return await action(directory);
  } finally {
    directory.close();
  }
}

/** Opens the directory named by `segments` below `root`. The caller closes it. */
export function descend(root: DirectoryHandle, segments: readonly Buffer[]): DirectoryHandle {
  let directory = root.duplicate();
  for (let count = 1; count <= segments.length; count += 1) {
    const above = directory;
    try {
      directory = openLast(above, segments.slice(0, count));
    } finally {
      above.close();
    }
  }
  return directory;
}

function openLast(directory: DirectoryHandle, path: readonly Buffer[]): DirectoryHandle {
  const segment = path.at(-1) ?? Buffer.alloc(0);
  try {
    return directory.openDirectory(segment);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT') throw new MissingAncestor('an ancestor is missing', { cause: error });
    if (errno !== 'ENOTDIR' && errno !== 'ELOOP') throw error;
    const kind = entryAt(directory, segment)?.kind ?? 'link';
    // A directory here means that it was exchanged between the two looks: refused as the link it was.
    throw new Refusal(kindReason(kind === 'directory' ? 'link' : kind), joined(path));
  }
}
