import {
  type ArtifactStore,
  decompressionLimitBytes,
  type OpenedArtifact,
  openArtifact,
  type ResolvedArtifact,
  resolveLocked,
  type StoredArtifact,
} from '@murmur/artifacts';
import type { Diagnostic } from '@murmur/errors';
import { type ArtifactEntry, type Lock, lockEntry, platformTag, projectLayout } from '@murmur/manifest';
import { attempt, conditionRow } from './rows.js';
import type { DoctorRow } from './types.js';

interface ArtifactsOptions {
  readonly artifacts: readonly ArtifactEntry[];
  readonly directory: string;
  readonly lock: Lock | null;
  readonly stores: readonly ArtifactStore[];
  readonly installed: readonly StoredArtifact[];
  readonly env: Readonly<Record<string, string>>;
}

/** A declared artifact that passed every check of a launch. */
export interface SoundArtifact {
  readonly entry: ArtifactEntry;
  readonly opened: OpenedArtifact;
}

/**
 * Every declared artifact against stores and lock, each by the checks of a launch, and every pin that no declaration
 * asks for. Nothing is written; a missing lock is told.
 */
export async function examineArtifacts(
  options: ArtifactsOptions,
): Promise<{ readonly rows: readonly DoctorRow[]; readonly sound: readonly SoundArtifact[] }> {
  const rows: DoctorRow[] = [];
  const sound: SoundArtifact[] = [];
  const base = { block: 'artifacts' } as const;
  for (const entry of options.artifacts) {
    const name = entry.source === undefined ? `${entry.name}@${entry.version}` : entry.name;
    if (entry.source !== undefined) {
      rows.push({ ...base, name, status: 'ok', message: 'local source' });
      continue;
    }
    const refused: Diagnostic[] = [];
    const found = await attempt(
      () => launchChecks(entry, options),
      (refusal) => refused.push(refusal),
    );
    for (const refusal of refused) rows.push(await refusalRow(name, entry, refusal, options));
    if (found === null) continue;
    sound.push({ entry, opened: found.opened });
    const pin = options.lock === null ? undefined : lockEntry(options.lock, entry.name);
    rows.push(
      pin?.session === undefined
        ? { ...base, name, status: 'ok', message: builtFor(found.resolved) }
        : {
            ...base,
            name,
            status: 'warning',
            message: `pinned by a running capsule, session ${pin.session}`,
          },
    );
  }
  rows.push(...lockRows(options));
  return { rows, sound };
}

async function launchChecks(
  entry: ArtifactEntry,
  { directory, lock, stores, env }: ArtifactsOptions,
): Promise<{ readonly resolved: ResolvedArtifact; readonly opened: OpenedArtifact } | null> {
  const [locked] = await resolveLocked({
    artifacts: [entry],
    lock,
    lockFile: projectLayout(directory).lock,
    stores,
  });
  if (locked === undefined) return null;
  const { name, version } = entry;
  const maxDecompressedBytes = decompressionLimitBytes(env);
  const opened = await openArtifact(locked.resolved.bytes, { name, version, maxDecompressedBytes });
  return { resolved: locked.resolved, opened };
}

async function refusalRow(
  name: string,
  entry: ArtifactEntry,
  refusal: Diagnostic,
  options: ArtifactsOptions,
): Promise<DoctorRow> {
  const row = conditionRow('artifacts', name, 'error', refusal);
  if (refusal.code === 'E-REG-002')
    return { ...row, message: `${row.message}${await digests(entry, options)}` };
  if (refusal.code !== 'E-RUN-008') return row;
  const others = options.installed.flatMap(({ name, version, platform }) =>
    name === entry.name && version === entry.version && platform !== null ? [platform] : [],
  );
  const host = platformTag();
  const message =
    others.length === 0 ? 'missing' : `native binary is built for ${others.join(', ')}, this host is ${host}`;
  return { ...row, message };
}

/** Both sides of a digest that does not fit, each on a line of its own. */
async function digests(entry: ArtifactEntry, { lock, stores }: ArtifactsOptions): Promise<string> {
  const host = platformTag();
  for (const store of stores) {
    const filed = await store.fingerprint(entry.name, entry.version, host);
    if (filed === null) continue;
    const pin = lock === null ? undefined : lockEntry(lock, entry.name);
    const pinned =
      pin === undefined ? undefined : 'any' in pin.sha256 ? pin.sha256.any : pin.sha256.platforms[host];
    // Bytes that are not what was filed are told against that record, and else against the pin.
    const expected = filed.recorded === filed.actual ? pinned : filed.recorded;
    return `\nexpected ${expected ?? 'a recorded digest'}\nactual   ${filed.actual}`;
  }
  return '';
}

function builtFor({ platform, meta }: ResolvedArtifact): string {
  if (platform !== null) return platform;
  return meta.runtime === 'native' ? 'platform unverified' : 'platform-independent';
}

function lockRows({ artifacts, directory, lock }: ArtifactsOptions): readonly DoctorRow[] {
  const base = { block: 'artifacts', status: 'info' } as const;
  if (lock === null) {
    const message = 'absent; the next mur install or mur run makes it';
    return artifacts.length === 0 ? [] : [{ ...base, name: projectLayout(directory).lock, message }];
  }
  return lock.artifacts
    .filter(({ name }) => !artifacts.some((entry) => entry.name === name))
    .map(({ name, resolvedVersion, session }) => ({
      ...base,
      name: `${name}@${resolvedVersion}`,
      message:
        session === undefined
          ? 'pinned, not declared'
          : `pinned by a running capsule, session ${session}; not declared`,
    }));
}
