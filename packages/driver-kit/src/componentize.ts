import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { componentize } from 'componentize-qjs';

/** The contract as shipped with this package. */
export const WIT_DIRECTORY: string = fileURLToPath(new URL('../dist/wit/', import.meta.url));

const WORLD = 'process-driver';

/**
 * Turns one bundled module into a component of the process driver world: QuickJS inside, no imports left, plain
 * synchronous exports.
 *
 * The bytes differ from build to build, so a component is published and pinned, never rebuilt and compared.
 */
export async function componentizeDriver(source: string, witDirectory: string): Promise<Uint8Array> {
  const scratch = await mkdtemp(join(tmpdir(), `murmur-driver-${process.pid}-`));
  try {
    const jsPath = join(scratch, 'driver.js');
    await writeFile(jsPath, source);
    const { component } = await componentize({
      witPath: witDirectory,
      jsSource: source,
      jsPath,
      world: WORLD,
      sync: true,
      stubWasi: true,
    });
    return component;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
