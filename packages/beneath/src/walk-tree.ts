import { breather } from './breathe.js';
import type { DirectoryHandle, Identity } from './directory-handle.js';
import { entryAt, namesIn } from './entries.js';
import { errnoOf, Problem } from './failures.js';
import type { WalkedEntry } from './types.js';

/** A directory on the way down. Its ancestors form a list, so that a deep tree costs no long paths. */
interface Place {
  readonly name: Buffer;
  readonly parent: Place | null;
  readonly depth: number;
  readonly text: string;
  readonly identity: Identity;
}

/** A directory whose own entries were given out and some of whose directories are still to be entered. */
interface Pending {
  readonly place: Place;
  readonly directories: Buffer[];
  handle: DirectoryHandle | null;
}

/** How many directories stay open at once, however deep the tree is. */
const openAtOnce = 64;

/** See `Beneath.walk`. `root` stays the caller's. */
export async function* walkTree(
  root: DirectoryHandle,
  options: { readonly maxDepth?: number; readonly maxEntries?: number } = {},
): AsyncGenerator<WalkedEntry> {
  const { maxDepth = Number.POSITIVE_INFINITY, maxEntries = Number.POSITIVE_INFINITY } = options;
  const breathe = breather(256);
  const stack: Pending[] = [];
  let entries = 0;
  let handle: DirectoryHandle | null = root;
  let place: Place = { name: Buffer.alloc(0), parent: null, depth: 0, text: '', identity: root.identity() };
  try {
    for (;;) {
      const directories: Buffer[] = [];
      for (const name of await namesIn(handle)) {
        await breathe();
        const entry = entryAt(handle, name);
        if (entry === null) continue;
        entries += 1;
        if (entries > maxEntries) throw new Problem(`more than ${maxEntries} entries lie below it`);
        if (entry.kind === 'directory' && place.depth + 1 < maxDepth) directories.push(name);
        const path = place.text === '' ? entry.name : `${place.text}/${entry.name}`;
        const at = place;
        yield { path, entry, pathBytes: () => bytesOf(at, name) };
      }
      stack.push({ place, directories: directories.reverse(), handle });
      handle = null;
      const next = enterNext(stack, root);
      if (next === null) return;
      handle = next.handle;
      place = next.place;
      closeDistant(stack, root);
    }
  } finally {
    if (handle !== root) handle?.close();
    for (const pending of stack) if (pending.handle !== root) pending.handle?.close();
  }
}

/** Opens the next directory that is still one; null when none is left. */
function enterNext(
  stack: Pending[],
  root: DirectoryHandle,
): { handle: DirectoryHandle; place: Place } | null {
  for (;;) {
    const top = stack.at(-1);
    if (top === undefined) return null;
    const name = top.directories.pop();
    if (name === undefined || !reopen(stack, root)) {
      stack.pop();
      if (top.handle !== root) top.handle?.close();
      continue;
    }
    const handle = top.handle === null ? null : openIfDirectory(top.handle, name);
    if (handle === null) continue;
    // The last directory in it: nothing brings the walk back here, so a plain chain keeps nothing open.
    if (top.directories.length === 0) {
      stack.pop();
      if (top.handle !== root) top.handle?.close();
    }
    const { place } = top;
    const text = place.text === '' ? name.toString('utf8') : `${place.text}/${name.toString('utf8')}`;
    return {
      handle,
      place: { name, parent: place, depth: place.depth + 1, text, identity: handle.identity() },
    };
  }
}

/** Null when the name vanished or became something else since it was listed. */
function openIfDirectory(directory: DirectoryHandle, name: Buffer): DirectoryHandle | null {
  try {
    return directory.openDirectory(name);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errnoOf(error) ?? '')) return null;
    throw error;
  }
}

function closeDistant(stack: Pending[], root: DirectoryHandle): void {
  const distant = stack.at(-openAtOnce - 1);
  if (distant === undefined || distant.handle === root) return;
  distant.handle?.close();
  distant.handle = null;
}

/**
 * Opens the top of the stack again when it was closed for being distant, and with it its nearest ancestors,
 * so that going back up a deep tree costs one descent per {@link openAtOnce} levels. Every directory on the
 * way must still be the one that was walked; otherwise the rest of that branch is passed over.
 */
function reopen(stack: Pending[], root: DirectoryHandle): boolean {
  const top = stack.at(-1);
  if (top === undefined) return false;
  if (top.handle !== null) return true;
  const closed = new Map<Place, Pending>();
  for (const pending of stack.slice(-openAtOnce)) {
    if (pending.handle === null) closed.set(pending.place, pending);
  }
  let current = root;
  let kept = true;
  const leave = () => {
    if (!kept) current.close();
  };
  for (const place of ancestry(top.place)) {
    let next: DirectoryHandle | null;
    try {
      next = openIfDirectory(current, place.name);
    } finally {
      leave();
      kept = true;
    }
    if (next === null) return false;
    const { dev, ino } = next.identity();
    if (dev !== place.identity.dev || ino !== place.identity.ino) {
      next.close();
      return false;
    }
    const pending = closed.get(place);
    if (pending !== undefined) pending.handle = next;
    current = next;
    kept = pending !== undefined;
  }
  return true;
}

/** The places from below the root down to `place`. */
function ancestry(place: Place): Place[] {
  const chain: Place[] = [];
  for (let at: Place | null = place; at !== null && at.parent !== null; at = at.parent) chain.push(at);
  return chain.reverse();
}

function bytesOf(place: Place, name: Buffer): Buffer {
  const segments = [name];
  for (let at: Place | null = place; at !== null && at.parent !== null; at = at.parent) {
    segments.push(Buffer.from('/'), at.name);
  }
  return Buffer.concat(segments.reverse());
}
