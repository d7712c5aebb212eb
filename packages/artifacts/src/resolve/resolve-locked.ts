import { MurmurError } from '@murmur/errors';
import {
  type ArtifactEntry,
  type Lock,
  type LockEntry,
  lockEntry,
  type PlatformTag,
  platformTag,
} from '@murmur/manifest';
import { storedEntries } from '../install/project.js';
import type { ArtifactStore, ResolvedArtifact } from '../store/store.js';
import { resolveInStores } from './resolve-in-stores.js';

export interface ResolveLockedOptions {
  /** The `artifacts` of the capsule manifest. Entries with a source of their own are passed over. */
  readonly artifacts: readonly ArtifactEntry[];
  /** The artifact bound as the system prompt, unless the launch overrides it. */
  readonly systemPromptArtifact?: string | undefined;
  /** Null: no lock is in force, and presence is all that is checked. */
  readonly lock: Lock | null;
  /** Path of the lock, for messages. */
  readonly lockFile: string;
  /** Asked in this order: the project's, then the global one. */
  readonly stores: readonly ArtifactStore[];
  /** Default: this host's. */
  readonly platform?: PlatformTag | 'unknown';
}

/** A declared artifact and the bytes that the lock vouches for. */
export interface LockedArtifact {
  readonly entry: ArtifactEntry;
  readonly resolved: ResolvedArtifact;
}

/**
 * Finds the bytes of every declared artifact as a launch needs them, in the manifest's order. One kind of
 * check after the other, each over all entries, so that the first failure is the same whatever the order:
 *
 * 1. all are in a store: `E-RUN-008`, naming all that are not;
 * 2. no pin of a running capsule plays an operator's part: `RuntimeOriginNotDeclarable` (`E-RUN-043`);
 * 3. all are pinned: `LockMissingEntry` (`E-RUN-003`);
 * 4. at the declared version: `LockVersionMismatch` (`E-RUN-003`);
 * 5. for this platform: `E-RUN-003`;
 * 6. the bytes are those recorded at installation and those the lock pins: `ArtifactIntegrityFailed`
 *    (`E-REG-002`). `ArtifactNotFound` (`E-REG-001`) when one vanished since the first check.
 *
 * Implements `docs/spec/artifacts.md`, "Checks of a launch".
 */
export async function resolveLocked(options: ResolveLockedOptions): Promise<readonly LockedArtifact[]> {
  const { lock, stores, platform = platformTag() } = options;
  const entries = storedEntries(options.artifacts);
  await refuseUnlessPresent(entries, stores, platform);
  if (lock !== null) refuseUnlessPinned(entries, lock, platform, options);
  const found: LockedArtifact[] = [];
  for (const entry of entries) {
    const { name, version } = entry;
    const resolved = await resolveInStores(stores, name, version, platform);
    if (resolved === null) throw new MurmurError({ variant: 'ArtifactNotFound', name, version });
    const pin = lock === null ? undefined : lockEntry(lock, name);
    if (pin !== undefined && pinnedDigest(pin, platform) !== resolved.sha256) {
      throw new MurmurError({ variant: 'ArtifactIntegrityFailed', name, version });
    }
    found.push(Object.freeze({ entry, resolved }));
  }
  return found;
}

async function refuseUnlessPresent(
  entries: readonly ArtifactEntry[],
  stores: readonly ArtifactStore[],
  platform: PlatformTag | 'unknown',
): Promise<void> {
  const missing: string[] = [];
  for (const { name, version } of entries) {
    let present = false;
    for (const store of stores) present ||= await store.has(name, version, platform);
    if (!present) missing.push(`${name}@${version}`);
  }
  if (missing.length > 0) throw new MurmurError({ variant: null, code: 'E-RUN-008', missing });
}

function refuseUnlessPinned(
  entries: readonly ArtifactEntry[],
  lock: Lock,
  platform: PlatformTag | 'unknown',
  { lockFile, systemPromptArtifact }: ResolveLockedOptions,
): void {
  for (const entry of entries) refuseRuntimeOrigin(entry, lockEntry(lock, entry.name), systemPromptArtifact);
  for (const { name } of entries) {
    if (lockEntry(lock, name) === undefined) throw new MurmurError({ variant: 'LockMissingEntry', name });
  }
  for (const { name, version } of entries) {
    const pinned = lockEntry(lock, name)?.resolvedVersion ?? '';
    if (pinned !== version) {
      throw new MurmurError({ variant: 'LockVersionMismatch', name, requested: version, pinned });
    }
  }
  for (const { name } of entries) {
    const pin = lockEntry(lock, name);
    if (pin === undefined || pinnedDigest(pin, platform) !== undefined) continue;
    const available = 'platforms' in pin.sha256 ? Object.keys(pin.sha256.platforms).sort().join(', ') : '';
    const problem = `'${name}' is pinned for ${available}, not for this host (${platform})`;
    throw new MurmurError({ variant: null, code: 'E-RUN-003', file: lockFile, problem, remedy: null });
  }
}

/** The digest that a pin holds for a host. One pinned for other platforms never stands in. */
function pinnedDigest({ sha256 }: LockEntry, platform: PlatformTag | 'unknown'): string | undefined {
  if ('any' in sha256) return sha256.any;
  return Object.hasOwn(sha256.platforms, platform) ? sha256.platforms[platform] : undefined;
}

/** What a capsule pulled while it ran was never looked at by an operator: it gets no keys and no say. */
function refuseRuntimeOrigin(
  entry: ArtifactEntry,
  pin: LockEntry | undefined,
  systemPromptArtifact: string | undefined,
): void {
  if (pin?.session === undefined) return;
  const declaredAs = operatorPart(entry, systemPromptArtifact);
  if (declaredAs === null) return;
  const { name, version } = entry;
  throw new MurmurError({
    variant: 'RuntimeOriginNotDeclarable',
    name,
    version,
    session: pin.session,
    declared_as: declaredAs,
  });
}

function operatorPart(entry: ArtifactEntry, systemPromptArtifact: string | undefined) {
  if (entry.runtime === 'hook') return 'runtime: hook';
  if (entry.runtime === 'driver') return 'runtime: driver';
  if (entry.gateway !== undefined) return 'gateway:';
  return entry.name === systemPromptArtifact ? 'inference.system_prompt_artifact' : null;
}
