import { MurmurError } from '@murmur/errors';
import { artifactNameProblem } from '../artifact-name.js';
import { deepFreeze } from '../deep-freeze.js';
import { dottedKey, type KeyPath } from '../key-path.js';
import { nearestPosition } from '../key-uses.js';
import { isPathSegment } from '../paths.js';
import type { JsonObject, JsonValue } from '../types.js';
import { readYaml } from '../yaml/read.js';
import type { Lock, LockEntry, LockedDigests } from './types.js';

const START_OVER = "delete the file and run 'mur install'";

type Refuse = (path: KeyPath, problem: string, remedy?: string) => never;

/**
 * Reads a `murmur.lock` of version 2. Throws `E-RUN-003` for anything else: a lock is never repaired and
 * never migrated. Spec: manifest, the lock.
 */
export function parseLock(input: string | Uint8Array, options: { file: string }): Lock {
  const { file } = options;
  const reading = readYaml(input, { keepsSource });
  if (!reading.ok) {
    const { line, column, reason, path } = reading.problem;
    const place = line === null ? '' : `line ${line}, column ${column}: `;
    const key = path === null ? '' : `${dottedKey(path)} `;
    throw lockRefusal(file, `${place}${key}${reason}`);
  }
  const { value, positions } = reading.content;
  const refuse: Refuse = (path, problem, remedy) => {
    const { line, column } = nearestPosition(positions, path);
    throw lockRefusal(
      file,
      `line ${line}, column ${column}: ${dottedKey(path) || 'the file'} ${problem}`,
      remedy,
    );
  };

  if (!isMapping(value)) return refuse([], 'must be a mapping of keys');
  const { lock_version: lockVersion, artifacts, ...extra } = value;
  if (lockVersion !== 2) refuse(['lock_version'], 'is not 2, the only version that is read', START_OVER);
  if (!Array.isArray(artifacts)) return refuse(['artifacts'], 'must be a list');
  const seen = new Set<string>();
  const entries = artifacts.map((entry: JsonValue, index) => {
    const read = readEntry(entry, ['artifacts', index], refuse);
    if (seen.has(read.name)) refuse(['artifacts', index, 'name'], `pins '${read.name}' a second time`);
    seen.add(read.name);
    return read;
  });
  return deepFreeze({ lockVersion: 2, artifacts: entries, extra });
}

/** The refusal `E-RUN-003`. */
export function lockRefusal(file: string, problem: string, remedy: string | null = null): MurmurError {
  return new MurmurError({ variant: null, code: 'E-RUN-003', file, problem, remedy });
}

/** Version text, and any number that would be written back in another spelling. */
function keepsSource(path: KeyPath, source: string): boolean {
  return (path.length === 3 && path[2] === 'resolved_version') || String(Number(source)) !== source;
}

function readEntry(entry: JsonValue, path: KeyPath, refuse: Refuse): LockEntry {
  if (!isMapping(entry)) return refuse(path, 'must be a mapping');
  const { name, resolved_version: resolvedVersion, sha256, origin = 'operator', session, ...extra } = entry;
  if (typeof name !== 'string') return refuse([...path, 'name'], 'must be an artifact name');
  const problem = artifactNameProblem(name);
  if (problem !== null) refuse([...path, 'name'], problem);
  if (
    typeof resolvedVersion !== 'string' ||
    !isPathSegment(resolvedVersion) ||
    resolvedVersion.trim() === ''
  ) {
    return refuse([...path, 'resolved_version'], `of '${name}' must be a version`);
  }
  if (origin !== 'operator' && origin !== 'runtime') {
    return refuse([...path, 'origin'], `of '${name}' must be operator or runtime`);
  }
  const digests = readDigests(sha256, name, [...path, 'sha256'], refuse);
  const known = { name, resolvedVersion, sha256: digests, extra };
  if (origin === 'operator') {
    return session === undefined
      ? { ...known, origin }
      : refuse([...path, 'session'], `of '${name}' has no place beside origin: operator`);
  }
  if (typeof session !== 'string' || session.trim() === '') {
    return refuse([...path, 'session'], `of '${name}' must name the session that pinned it`);
  }
  return { ...known, origin, session };
}

function readDigests(
  value: JsonValue | undefined,
  name: string,
  path: KeyPath,
  refuse: Refuse,
): LockedDigests {
  if (!isMapping(value)) return refuse(path, `of '${name}' pins nothing`);
  const { any, platforms, ...others } = value;
  const [stranger] = Object.keys(others);
  if (stranger !== undefined) refuse([...path, stranger], `of '${name}' is a kind of pin that is not known`);
  if (any !== undefined && platforms !== undefined) refuse(path, `of '${name}' holds both any and platforms`);
  if (platforms === undefined) {
    return isDigest(any)
      ? { any }
      : refuse([...path, 'any'], `of '${name}' must be a SHA-256 in lowercase hex`);
  }
  if (!isMapping(platforms) || Object.keys(platforms).length === 0) {
    return refuse([...path, 'platforms'], `of '${name}' pins nothing`);
  }
  const digests: Record<string, string> = {};
  for (const [tag, digest] of Object.entries(platforms)) {
    const tagPath = [...path, 'platforms', tag];
    if (tag.trim() === '') refuse(tagPath, `of '${name}' has a blank platform`);
    digests[tag] = isDigest(digest)
      ? digest
      : refuse(tagPath, `of '${name}' must be a SHA-256 in lowercase hex`);
  }
  return { platforms: digests };
}

function isDigest(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

function isMapping(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
