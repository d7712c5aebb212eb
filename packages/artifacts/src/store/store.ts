import type { PlatformTag } from '@murmur/manifest';
import type { ArtifactMeta } from './meta.js';

/** One installed artifact as a store lists it. */
export interface StoredArtifact extends ArtifactMeta {
  /** The variant's platform; null for what runs everywhere. */
  readonly platform: PlatformTag | null;
  readonly sha256: string;
  readonly archiveBytes: number;
}

/** An artifact's bytes out of a store, checked against the digest recorded beside them. */
export interface ResolvedArtifact {
  readonly name: string;
  readonly version: string;
  readonly platform: PlatformTag | null;
  readonly bytes: Buffer;
  readonly sha256: string;
  readonly meta: ArtifactMeta;
  /** Path of the archive, for messages. */
  readonly file: string;
}

/** What is filed in a store. */
export interface Installation {
  readonly name: string;
  readonly version: string;
  /** The platform a native artifact is for; null for what runs everywhere. */
  readonly platform: PlatformTag | null;
  readonly bytes: Buffer;
  readonly meta: ArtifactMeta;
}

/**
 * A directory of installed artifacts, `<name>/<version>/`. A store that does not exist is an empty one.
 * Implements `docs/spec/artifacts.md`, "Stores".
 *
 * Methods throw `E-IO-001`, `E-IO-002`, `E-IO-003` and, for links inside the store, `E-RUN-904`.
 */
export interface ArtifactStore {
  readonly root: string;
  /** Whether a variant for this platform, or one for all, is filed. Nothing is read. */
  has(name: string, version: string, platform: PlatformTag | 'unknown'): Promise<boolean>;
  /**
   * The platform's own variant, else the one for all; null when neither is filed. `E-REG-002`
   * (`ArtifactIntegrityFailed`) when the bytes are not the recorded ones.
   */
  resolve(name: string, version: string, platform: PlatformTag | 'unknown'): Promise<ResolvedArtifact | null>;
  /**
   * The digest recorded at installation (null when the record is unusable) and that of the bytes as they lie
   * there now, equal or not; null when no variant is filed. For reports: a launch uses `resolve`.
   */
  fingerprint(
    name: string,
    version: string,
    platform: PlatformTag | 'unknown',
  ): Promise<{ readonly recorded: string | null; readonly actual: string } | null>;
  /**
   * Files an artifact, replacing a variant of the same name, version and platform whole. Safe beside other
   * installers; a killed one leaves the old variant or the new. Returns the archive's path and whether these
   * bytes were filed already.
   */
  install(installation: Installation): Promise<{ readonly file: string; readonly unchanged: boolean }>;
  /** Everything filed, sorted by name, version and runtime. */
  list(): Promise<readonly StoredArtifact[]>;
}
