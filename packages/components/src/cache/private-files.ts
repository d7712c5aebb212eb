import type { Beneath } from '@murmur/beneath';
import { MurmurError } from '@murmur/errors';

export const PRIVATE_DIRECTORY = 0o700;
export const PRIVATE_FILE = 0o600;

/** A file's content; null when it is missing, larger than expected, or anything but a regular file. */
export async function readOrNull(root: Beneath, path: string, maxBytes: number): Promise<Buffer | null> {
  try {
    return await root.read(path, { maxBytes });
  } catch (error) {
    if (error instanceof MurmurError) return null;
    throw error;
  }
}

/** A directory below, held open; null when it is missing or anything but a directory. */
export async function openOrNull(root: Beneath, path: string): Promise<Beneath | null> {
  try {
    return await root.open(path);
  } catch (error) {
    if (error instanceof MurmurError) return null;
    throw error;
  }
}
