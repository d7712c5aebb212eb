import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DriverEngine, loadStarlingMonkey } from './engine.js';

/** The contract as shipped with this package. */
export const WIT_DIRECTORY: string = fileURLToPath(new URL('../dist/wit/', import.meta.url));

const WORLD = 'process-driver';

/** Everything that would import WASI: a driver is given none of it. */
const FEATURES_OFF = ['random', 'stdio', 'clocks', 'http', 'fetch-event'];

export interface ComponentizeOptions {
  readonly witDirectory: string;
  readonly engine: DriverEngine;
  /** Directory of the driver, where an engine that is no part of the kit is looked for. */
  readonly directory: string;
}

/**
 * Turns one bundled module into a component of the process driver world: an engine inside, no imports left, plain
 * synchronous exports.
 *
 * The bytes may differ from build to build, so a component is published and pinned, never rebuilt and compared.
 */
export async function componentizeDriver(source: string, options: ComponentizeOptions): Promise<Uint8Array> {
  return options.engine === 'quickjs'
    ? withQuickJs(source, options.witDirectory)
    : withStarlingMonkey(source, options);
}

async function withQuickJs(source: string, witDirectory: string): Promise<Uint8Array> {
  // Loaded here: whoever only checks or tests drivers needs no engine.
  const { componentize } = await import('componentize-qjs');
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

async function withStarlingMonkey(source: string, options: ComponentizeOptions): Promise<Uint8Array> {
  const { componentize } = await loadStarlingMonkey(options.directory);
  const { component } = await componentize(source, {
    witPath: options.witDirectory,
    worldName: WORLD,
    disableFeatures: FEATURES_OFF,
  });
  return component;
}
