import type { ArtifactEntry } from '@murmur/manifest';

/** The project that an installation is for. */
export interface InstallProject {
  /** The directory that holds `murmur.yaml`, `murmur.lock` and `.murmur`. */
  readonly root: string;
  /** The `artifacts` of its manifest. */
  readonly artifacts: readonly ArtifactEntry[];
}

/** Entries that come out of a store: those without a source of their own. */
export function storedEntries(artifacts: readonly ArtifactEntry[]): readonly ArtifactEntry[] {
  return artifacts.filter((entry) => entry.source === undefined);
}
