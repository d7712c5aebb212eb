import { randomBytes } from 'node:crypto';
import type { Beneath } from '@murmur/beneath';
import { PRIVATE_DIRECTORY, PRIVATE_FILE, readOrNull } from './private-files.js';
import { scratchName } from './scratch.js';

const DIRECTORY = 'secret';
const KEY = `${DIRECTORY}/key`;
const KEY_BYTES = 32;
const ATTEMPTS = 5;

/** Makes the secret where there is none: a directory with content is never replaced, so the first writer wins. */
async function placeSecret(root: Beneath): Promise<void> {
  const scratch = scratchName();
  try {
    await root.makeDirectory(scratch, { mode: PRIVATE_DIRECTORY });
    await root.write(`${scratch}/key`, randomBytes(KEY_BYTES), { mode: PRIVATE_FILE });
    await root.rename(scratch, DIRECTORY);
  } finally {
    await root.remove(scratch);
  }
}

/** The secret of this cache, made on first use. Where it was lost or damaged, entries under the old one are void. */
export async function readSecret(root: Beneath): Promise<Uint8Array> {
  for (let attempt = 1; ; attempt += 1) {
    const key = await readOrNull(root, KEY, KEY_BYTES);
    if (key?.length === KEY_BYTES) return key;
    // Something else has its name, or its content is damaged. What another writer just placed reads well next time.
    if (key !== null || attempt > 2) await root.remove(DIRECTORY);
    try {
      await placeSecret(root);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}
