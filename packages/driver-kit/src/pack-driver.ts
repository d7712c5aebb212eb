import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packArtifact } from '@murmur/artifacts';

/** The component's name inside the archive. */
const COMPONENT_ENTRY = 'capsule.wasm';

export interface PackDriverOptions {
  /** The driver's `murmur.yaml`: `runtime: driver` and `requires_files: [capsule.wasm]`. */
  readonly manifestPath: string;
  readonly component: Uint8Array;
  /** Path of the archive, ending in `.mur.zip`, or the existing directory it goes into. */
  readonly output: string;
}

/**
 * Packs a built component with its manifest into an installable archive. Returns the archive's path.
 *
 * @throws MurmurError what packing an artifact throws: `E-IO-001` to `-003`, `E-MAN-001` to `-003`, `E-BLD-001` to
 * `-004`.
 */
export async function packDriver(options: PackDriverOptions): Promise<string> {
  // The component is no file of the driver's own directory, and none is left there.
  const directory = await mkdtemp(join(tmpdir(), `murmur-driver-${process.pid}-`));
  try {
    await copyFile(options.manifestPath, join(directory, 'murmur.yaml'));
    await writeFile(join(directory, COMPONENT_ENTRY), options.component);
    const { file } = await packArtifact({ directory, output: options.output, env: {} });
    return file;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
