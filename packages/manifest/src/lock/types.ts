import type { JsonObject } from '../types.js';

/** What a lock pins an artifact's bytes to: one digest for every host, or one for each platform. */
export type LockedDigests =
  | { readonly any: string }
  | { readonly platforms: Readonly<Record<string, string>> };

/** One pin. */
export interface LockEntry {
  readonly name: string;
  readonly resolvedVersion: string;
  /** Lowercase hex SHA-256 digests. */
  readonly sha256: LockedDigests;
  /** Who pinned it: a person, or a capsule while it ran. */
  readonly origin: 'operator' | 'runtime';
  /** The session that pinned it; present exactly when `origin` is `runtime`. */
  readonly session?: string | undefined;
  /** Keys that this version does not know; they are written back as they were read. */
  readonly extra: JsonObject;
}

/** A `murmur.lock`. */
export interface Lock {
  readonly lockVersion: 2;
  readonly artifacts: readonly LockEntry[];
  /** Keys that this version does not know; they are written back as they were read. */
  readonly extra: JsonObject;
}
