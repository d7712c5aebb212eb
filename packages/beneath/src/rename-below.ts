import fs from 'node:fs';
import { inDirectory } from './descend.js';
import { syncDirectory } from './descriptor-io.js';
import type { DirectoryHandle } from './directory-handle.js';
import { entryAt, kindReason } from './entries.js';
import { Refusal } from './failures.js';
import { joined } from './segments.js';

interface NamedPlace {
  readonly parent: readonly Buffer[];
  readonly name: Buffer;
}

/** Moves a file or directory: see `Beneath.rename`. */
export function renameBelow(root: DirectoryHandle, from: NamedPlace, to: NamedPlace): Promise<void> {
  return inDirectory(root, from.parent, (source) =>
    inDirectory(root, to.parent, async (target) => {
      refuseUnlessPlain(source, from);
      refuseUnlessPlain(target, to);
      fs.renameSync(source.at(from.name), target.at(to.name));
      await syncDirectory(target);
    }),
  );
}

function refuseUnlessPlain(directory: DirectoryHandle, place: NamedPlace): void {
  const kind = entryAt(directory, place.name)?.kind;
  if (kind === 'link' || kind === 'other') {
    throw new Refusal(kindReason(kind), joined([...place.parent, place.name]));
  }
}
