import fs from 'node:fs';
import path from 'node:path';
import { beneathOf } from './beneath.js';
import { openRootHandle } from './directory-handle.js';
import { reported } from './failures.js';
import type { Beneath } from './types.js';

/** How a directory is opened as a root. */
export interface OpenOptions {
  /** Makes it, and what is missing above it. */
  readonly create?: boolean;
  /** Mode of what is made; default 0755. */
  readonly mode?: number;
  /** Refuses a link in place of the directory itself; links above it are followed. Default: false. */
  readonly noFollow?: boolean;
}

/**
 * Opens a directory as a root for access below it. `path` is the caller's own and may lead through links;
 * with `create` it is made when missing, with exactly `mode` (default `0o755`), new ancestors included.
 *
 * Throws `E-IO-001`, `E-IO-002`, `E-IO-003` (also when `/proc` is not usable on Linux).
 * Implements `docs/spec/artifacts.md`, "Access below a directory".
 */
export async function openBeneath(directory: string, options: OpenOptions = {}): Promise<Beneath> {
  if (options.noFollow === true) return await openOwn(path.resolve(directory), options);
  try {
    if (options.create === true) createRoot(path.resolve(directory), options.mode ?? 0o755);
    return beneathOf(openRootHandle(directory), directory);
  } catch (error) {
    throw reported(error, 'open directory', directory);
  }
}

/** Opens the last segment below its parent, where a link is no way in. */
async function openOwn(directory: string, { create, mode }: OpenOptions): Promise<Beneath> {
  const name = path.basename(directory);
  const made = { ...(create === undefined ? {} : { create }), ...(mode === undefined ? {} : { mode }) };
  if (name === '') return await openBeneath(directory, made);
  await using parent = await openBeneath(path.dirname(directory), made);
  if (create === true) {
    await parent.makeDirectory(name, { parents: true, ...(mode === undefined ? {} : { mode }) });
  }
  return await parent.open(name);
}

function createRoot(root: string, mode: number): void {
  const firstMade = makeDirectories(root, mode);
  if (firstMade === undefined) return;
  for (let made = root; made.length >= path.resolve(firstMade).length; made = path.dirname(made)) {
    fs.chmodSync(made, mode);
  }
}

/** As `mkdir -p`; returns the first directory that was made. */
function makeDirectories(root: string, mode: number): string | undefined {
  try {
    return fs.mkdirSync(root, { recursive: true, mode });
  } catch (error) {
    // Where a file system cannot be written, Node's recursive form says "no such file": ask the system plainly.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    let missing = root;
    while (!fs.existsSync(path.dirname(missing))) missing = path.dirname(missing);
    fs.mkdirSync(missing, mode);
    throw error;
  }
}
