import fs from 'node:fs';
import path from 'node:path';
import { descend, inDirectory, MissingAncestor } from './descend.js';
import type { DirectoryHandle } from './directory-handle.js';
import { entryAt, entryOf, namesIn } from './entries.js';
import { reported } from './failures.js';
import { makeDirectoryBelow } from './make-directory.js';
import { readRegularFile } from './read-file.js';
import { removeTree } from './remove-tree.js';
import { renameBelow } from './rename-below.js';
import { parseParentAndName, parseSegments, parseSegmentsOrSelf, pathText } from './segments.js';
import type { Beneath, BeneathEntry, RelativePath } from './types.js';
import { walkTree } from './walk-tree.js';
import { appendToFile, replaceFile } from './write-file.js';

/** The public object over an open handle, which it owns. */
export function beneathOf(root: DirectoryHandle, rootPath: string): Beneath {
  const lease = leaseOf(root, rootPath);
  const where = (relative: RelativePath) => path.join(rootPath, pathText(relative));
  const run = async <T>(operation: string, relative: RelativePath, action: () => Promise<T>): Promise<T> => {
    lease.enter();
    try {
      return await action();
    } catch (error) {
      throw reported(error, operation, where(relative));
    } finally {
      lease.leave();
    }
  };
  const onName = <T>(
    operation: string,
    relative: RelativePath,
    action: (directory: DirectoryHandle, name: Buffer) => Promise<T> | T,
  ): Promise<T> =>
    run(operation, relative, async () => {
      const { parent, name } = parseParentAndName(relative);
      return inDirectory(root, parent, (directory) => action(directory, name));
    });

  async function* walk(...[relative, options]: Parameters<Beneath['walk']>): ReturnType<typeof walkTree> {
    lease.enter();
    try {
      const directory = descend(root, parseSegmentsOrSelf(relative));
      try {
        yield* walkTree(directory, options);
      } finally {
        directory.close();
      }
    } catch (error) {
      throw reported(error, 'walk', where(relative));
    } finally {
      lease.leave();
    }
  }

  return {
    path: rootPath,
    read: (relative, options) =>
      onName('read', relative, (directory, name) => readRegularFile(directory, name, options?.maxBytes)),
    write: (relative, data, options) =>
      onName('write', relative, (directory, name) =>
        replaceFile(directory, name, Buffer.from(data), {
          mode: options?.mode ?? 0o644,
          durable: options?.durable ?? true,
        }),
      ),
    append: (relative, data, options) =>
      onName('append', relative, (directory, name) =>
        appendToFile(directory, name, Buffer.from(data), options?.mode ?? 0o644),
      ),
    makeDirectory: (relative, options) =>
      run('make directory', relative, async () =>
        makeDirectoryBelow(root, parseSegments(relative), {
          mode: options?.mode ?? 0o755,
          parents: options?.parents ?? false,
        }),
      ),
    stat: (relative) => run('stat', relative, () => unlessMissing(() => statBelow(root, relative), null)),
    list: (relative) =>
      run('list', relative, async () =>
        inDirectory(root, parseSegmentsOrSelf(relative), async (directory) =>
          (await namesIn(directory)).flatMap((name) => entryAt(directory, name) ?? []),
        ),
      ),
    walk,
    measure: async (relative) => {
      let bytes = 0;
      let entries = 0;
      for await (const { entry } of walk(relative)) {
        entries += 1;
        if (entry.kind === 'file') bytes += entry.sizeBytes;
      }
      return { bytes, entries };
    },
    remove: (relative) =>
      run('remove', relative, async () => {
        const { parent, name } = parseParentAndName(relative);
        const removing = () => inDirectory(root, parent, (directory) => removeTree(directory, name));
        return unlessMissing(removing, undefined);
      }),
    rename: (from, to) =>
      run('rename', from, async () => renameBelow(root, parseParentAndName(from), parseParentAndName(to))),
    open: (relative) =>
      run('open directory', relative, async () =>
        beneathOf(descend(root, parseSegmentsOrSelf(relative)), where(relative)),
      ),
    [Symbol.asyncDispose]: async () => lease.dispose(),
  };
}

async function statBelow(root: DirectoryHandle, relative: RelativePath): Promise<BeneathEntry | null> {
  if (parseSegmentsOrSelf(relative).length === 0) {
    return entryOf(Buffer.from('.'), fs.statSync(root.self()));
  }
  const { parent, name } = parseParentAndName(relative);
  return inDirectory(root, parent, (directory) => entryAt(directory, name));
}

/**
 * Keeps the descriptor open until the last operation that uses it has ended: once closed, its number may
 * belong to another file.
 */
function leaseOf(root: DirectoryHandle, rootPath: string) {
  let active = 0;
  let disposed = false;
  return {
    enter: () => {
      if (disposed) throw new Error(`the directory ${rootPath} was already closed`);
      active += 1;
    },
    leave: () => {
      active -= 1;
      if (disposed && active === 0) root.close();
    },
    dispose: () => {
      if (disposed) return;
      disposed = true;
      if (active === 0) root.close();
    },
  };
}

async function unlessMissing<T, U>(action: () => Promise<T>, missing: U): Promise<T | U> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof MissingAncestor) return missing;
    throw error;
  }
}
