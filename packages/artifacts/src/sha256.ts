import { createHash } from 'node:crypto';

/** The lowercase hex sha256 of some bytes. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
