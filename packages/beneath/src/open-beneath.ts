import fs from 'node:fs';
import path from 'node:path';
import { beneathOf } from './beneath.js';
import { openRootHandle } from './directory-handle.js';
import { reported } from './failures.js';
import type { Beneath } from './types.js';

/**
 * Opens a directory as a root for access below it. `path` is the caller's own and may lead through links;
 * with `create` it is made when missing, with exactly `mode` (default `0o755`), new ancestors included.
 *
 * Throws `E-IO-001`, `E-IO-002`, `E-IO-003` (also when `/proc` is not usable on Linux).
 * Implements `docs/spec/artifacts.md`, "Access below a directory".
 */
export async function openBeneath(
  directory: string,
  options: { readonly create?: boolean; readonly mode?: number } = {},
): Promise<Beneath> {
  try {
    if (options.create === true) createRoot(path.resolve(directory), options.mode ?? 0o755);
    return beneathOf(openRootHandle(directory), directory);
  } catch (error) {
    throw reported(error, 'open directory', directory);
  }
}

function createRoot(root: string, mode: number): void {
  const firstMade = fs.mkdirSync(root, { recursive: true, mode });
  if (firstMade === undefined) return;
  for (let made = root; made.length >= path.resolve(firstMade).length; made = path.dirname(made)) {
    fs.chmodSync(made, mode);
  }
}
