import path from 'node:path';
import { readNamedFileIfThere } from '@murmur/beneath';
import { MurmurError } from '@murmur/errors';
import { type ArtifactEntry, parseCapsuleManifest, projectLayout } from '@murmur/manifest';
import { VERSION } from '../version.js';

/** The project that a directory belongs to. */
export interface FoundProject {
  readonly root: string;
  readonly artifacts: readonly ArtifactEntry[];
}

/**
 * The nearest directory, from `directory` upwards, that holds a `murmur.yaml`; null when there is none.
 * @throws MurmurError E-IO-002, E-IO-003, E-MAN-001 to -003
 */
export async function findProject(directory: string): Promise<FoundProject | null> {
  for (let at = directory; ; at = path.dirname(at)) {
    const file = projectLayout(at).manifest;
    const bytes = await readNamedFileIfThere(file, { what: 'capsule manifest' });
    if (bytes !== null) {
      const { manifest } = parseCapsuleManifest(bytes, { file, servedVersion: VERSION });
      return { root: at, artifacts: manifest.artifacts };
    }
    if (at === path.dirname(at)) return null;
  }
}

/** @throws MurmurError E-IO-001 */
export function noProject(directory: string): MurmurError {
  return new MurmurError({
    variant: null,
    code: 'E-IO-001',
    what: "murmur.yaml, here or in any directory above (or pass '--global')",
    path: projectLayout(directory).manifest,
  });
}

/** @throws MurmurError HomeUnusable */
export function requireHome(home: string | null): string {
  if (home !== null) return home;
  throw new MurmurError({ variant: 'HomeUnusable', reason: 'HOME is not set to an absolute path in UTF-8' });
}
