import type { PlatformTag } from '@murmur/manifest';
import type { ArtifactStore, ResolvedArtifact } from '../store/store.js';

/** Asks stores one after the other; only a definite "not here" leads to the next. */
export async function resolveInStores(
  stores: readonly ArtifactStore[],
  name: string,
  version: string,
  platform: PlatformTag | 'unknown',
): Promise<ResolvedArtifact | null> {
  for (const store of stores) {
    const resolved = await store.resolve(name, version, platform);
    if (resolved !== null) return resolved;
  }
  return null;
}
