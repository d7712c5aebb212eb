import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { MurmurError, osError } from '@murmur/errors';
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
    try {
      const { manifest } = parseCapsuleManifest(await readFile(file), { file, servedVersion: VERSION });
      return { root: at, artifacts: manifest.artifacts };
    } catch (error) {
      if (error instanceof MurmurError) throw error;
      const source = osError(error);
      if (source.code === 'EACCES')
        throw new MurmurError(
          { variant: null, code: 'E-IO-002', operation: 'read the capsule manifest', path: file, source },
          { cause: error },
        );
      if (source.code !== 'ENOENT' && source.code !== 'ENOTDIR') {
        throw new MurmurError(
          {
            variant: null,
            code: 'E-IO-003',
            operation: 'read the capsule manifest',
            path: file,
            reason: source.message,
          },
          { cause: error },
        );
      }
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
  throw new MurmurError({ variant: 'HomeUnusable', reason: 'HOME is not set to an absolute path' });
}
