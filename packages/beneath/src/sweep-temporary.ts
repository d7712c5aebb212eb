import { isLeftover } from './temporary-names.js';
import type { Beneath, RelativePath } from './types.js';

/**
 * Removes what interrupted writes left in one directory (`.` for the opened one): temporaries whose writing
 * process no longer runs. Work in hand of a living process is left alone. Returns the names removed.
 *
 * Throws as {@link Beneath} does. Implements `docs/spec/artifacts.md`, "Access below a directory".
 */
export async function sweepTemporary(
  directory: Beneath,
  relative: RelativePath = '.',
): Promise<readonly string[]> {
  await using root = await directory.open(relative);
  const removed: string[] = [];
  for (const entry of await root.list('.')) {
    if (entry.kind !== 'file' || !isLeftover(entry.name)) continue;
    await root.remove(entry.name);
    removed.push(entry.name);
  }
  return removed;
}
