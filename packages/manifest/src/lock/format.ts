import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { lockRefusal, parseLock } from './parse.js';
import type { Lock, LockEntry } from './types.js';

/**
 * The text of a lock. It is read back before it is handed out: a lock that its own reader refuses, or reads
 * differently, is never written (`E-RUN-003`). Spec: manifest, the lock.
 */
export function formatLock(lock: Lock, options: { file: string }): string {
  const text = stringify(
    { lock_version: lock.lockVersion, artifacts: lock.artifacts.map(entryRecord), ...lock.extra },
    { version: '1.2', schema: 'core', aliasDuplicateObjects: false, lineWidth: 0 },
  );
  const reread = parseLock(text, options);
  if (!isDeepStrictEqual(plain(reread), plain(lock))) {
    throw lockRefusal(options.file, 'the new content would not be read back as it is');
  }
  return text;
}

function entryRecord(entry: LockEntry): Record<string, unknown> {
  const { name, resolvedVersion, sha256, origin, session, extra } = entry;
  return {
    name,
    resolved_version: resolvedVersion,
    sha256: 'platforms' in sha256 ? { platforms: sorted(sha256.platforms) } : { any: sha256.any },
    origin,
    ...(session === undefined ? {} : { session }),
    ...extra,
  };
}

function sorted(platforms: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(platforms).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function plain(lock: Lock): unknown {
  return JSON.parse(JSON.stringify(lock));
}
