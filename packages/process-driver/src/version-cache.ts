import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import type { Beneath } from '@murmur/beneath';

/** What the answer to a version question depends on, and the file that remembers it. */
export interface BinaryIdentity {
  readonly file: string;
  readonly identity: string;
}

const type = 'murmur.harness-version';

/** Null when the file cannot be examined: nothing is remembered then. */
export async function binaryIdentity(
  path: string,
  versionArgs: readonly string[],
): Promise<BinaryIdentity | null> {
  try {
    const real = await realpath(path);
    const { dev, ino, ctimeNs, size } = await stat(real, { bigint: true });
    const question = JSON.stringify([real, ...versionArgs]);
    const hash = createHash('sha256').update(question).digest('hex').slice(0, 32);
    return { file: `harness-version-${hash}.json`, identity: [question, dev, ino, ctimeNs, size].join(' ') };
  } catch {
    return null;
  }
}

/** The remembered version line; null when there is none, or the file is not one of ours. */
export async function readCachedVersion(
  cache: Beneath,
  { file, identity }: BinaryIdentity,
): Promise<string | null> {
  try {
    const entry: unknown = JSON.parse((await cache.read(file, { maxBytes: 65_536 })).toString('utf8'));
    if (typeof entry !== 'object' || entry === null) return null;
    const { type: found, identity: of, line } = entry as Record<string, unknown>;
    return found === type && of === identity && typeof line === 'string' && line !== '' ? line : null;
  } catch {
    return null;
  }
}

/** Remembers a version line. A cache that cannot be written is no cache: the next run asks again. */
export async function writeCachedVersion(
  cache: Beneath,
  { file, identity }: BinaryIdentity,
  line: string,
): Promise<void> {
  try {
    await cache.write(file, JSON.stringify({ type, identity, line }), { mode: 0o600, durable: false });
  } catch {
    // Nothing is lost but time.
  }
}
