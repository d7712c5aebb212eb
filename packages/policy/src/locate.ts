import { lstat, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { osError } from '@murmur/errors';

/** Where a path leads on this host. */
export type Location =
  | { readonly state: 'directory'; readonly real: string }
  /** Nothing is there; `real` is where it would be. */
  | { readonly state: 'missing'; readonly real: string }
  | { readonly state: 'unusable'; readonly reason: string };

/** Follows a path to what it stands for. A link that leads nowhere is unusable, not missing. */
export async function locate(absolute: string): Promise<Location> {
  try {
    const real = await realpath(absolute);
    const facts = await stat(real);
    return facts.isDirectory()
      ? { state: 'directory', real }
      : { state: 'unusable', reason: 'it is not a directory' };
  } catch (error) {
    const { code, message } = osError(error);
    if (code !== 'ENOENT') return { state: 'unusable', reason: `it cannot be looked at: ${message}` };
    if (await isLink(absolute)) return { state: 'unusable', reason: 'it is a link that leads nowhere' };
    return { state: 'missing', real: await realOfMissing(absolute) };
  }
}

async function isLink(absolute: string): Promise<boolean> {
  try {
    return (await lstat(absolute)).isSymbolicLink();
  } catch {
    return false;
  }
}

/** The real path of the nearest ancestor that exists, with the rest behind it. */
export async function realOfMissing(absolute: string): Promise<string> {
  try {
    return await realpath(absolute);
  } catch {
    const parent = path.dirname(absolute);
    if (parent === absolute) return absolute;
    return path.join(await realOfMissing(parent), path.basename(absolute));
  }
}
