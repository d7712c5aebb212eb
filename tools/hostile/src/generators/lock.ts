import { isDeepStrictEqual } from 'node:util';
import { formatLock, parseLock, upsertLock } from '@murmur/manifest';
import { Fault, refusalCode } from '../outcome.js';
import { locks } from './document-seeds.js';
import { documentGenerator } from './documents.js';

const file = 'murmur.lock';

/** Locks into the reader; what is read is pinned to and written, and the written text read again. */
export const lockGenerator = documentGenerator({
  name: 'lock',
  title: 'locks: read, pinned to, written, read again',
  documents: locks,
  read(input, random) {
    const lock = parseLock(input, { file });
    try {
      const name = random.pick(['fresh', 'murmur-driver-codex', 'owner/tool']);
      const digest = 'b'.repeat(64);
      const sha256 = random.oneIn(2) ? { any: digest } : { platform: 'linux-x64', digest };
      const by = random.oneIn(2) ? 'operator' : { session: 'ses_02' };
      const pinned = upsertLock(lock, { name, version: '9.9', sha256, by });
      const text = formatLock(pinned, { file });
      if (formatLock(parseLock(text, { file }), { file }) !== text)
        throw new Fault('writing is no fixed point');
      if (!isDeepStrictEqual(parseLock(formatLock(lock, { file }), { file }), lock))
        throw new Fault('a lock is read back as another one');
      return 'read and written';
    } catch (error) {
      // Written in block style a lock takes more room, and a large one may outgrow what is read: refused, with a code.
      if (input.length > 32 * 1024) return `read, then ${refusalCode(error)}`;
      // A small one that was read and cannot be written again would stop every later install.
      throw new Fault(`a lock was read, and then: ${refusalCode(error)}`, { cause: error });
    }
  },
});
