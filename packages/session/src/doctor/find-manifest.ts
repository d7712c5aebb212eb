import { stat } from 'node:fs/promises';
import path from 'node:path';
import { MurmurError, osError } from '@murmur/errors';
import { projectLayout } from '@murmur/manifest';

/**
 * The `murmur.yaml` of the nearest directory from `directory` upwards. One that is there and cannot be used is the one.
 * @throws MurmurError E-IO-001
 */
export async function findManifest(directory: string): Promise<string> {
  for (let at = directory; ; at = path.dirname(at)) {
    const file = projectLayout(at).manifest;
    try {
      await stat(file);
      return file;
    } catch (error) {
      const { code } = osError(error);
      if (code !== 'ENOENT' && code !== 'ENOTDIR') return file;
    }
    if (at !== path.dirname(at)) continue;
    const what = 'murmur.yaml, here or in any directory above';
    throw new MurmurError({ variant: null, code: 'E-IO-001', what, path: projectLayout(directory).manifest });
  }
}
