import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readNames } from '@murmur/components';
import { bundleDriver } from './bundle.js';
import { driverNameProblems } from './check-names.js';
import { componentizeDriver, WIT_DIRECTORY } from './componentize.js';
import { type DriverEngine, engineVersion } from './engine.js';
import { hashInputs } from './input-hash.js';
import { packDriver } from './pack-driver.js';

export interface BuildDriverOptions {
  /** The driver's directory; it holds `murmur.yaml` with `runtime: driver` and `requires_files: [capsule.wasm]`. */
  readonly directory: string;
  /** Main module below the directory; default `src/index.ts`. */
  readonly entry?: string;
  /** Where results go, relative to the directory; default `dist`. */
  readonly outDirectory?: string;
  /**
   * Base name of both results. Default: `component.wasm`, and the archive as the manifest names it,
   * `<name>-<version>.mur.zip`.
   */
  readonly baseName?: string;
  /** Names replaced by text while bundling, for drivers built in several variants. */
  readonly constants?: Readonly<Record<string, string>>;
  /** The engine inside; default `quickjs`. */
  readonly engine?: DriverEngine;
}

export interface BuiltDriver {
  /** Absolute path of the component. */
  readonly componentPath: string;
  /** Absolute path of the archive, ready for `mur install`. */
  readonly archivePath: string;
  /** True when nothing the build depends on had changed and the results of the last build stand. */
  readonly unchanged: boolean;
}

/**
 * Builds a driver from source to archive: bundle, componentize, check of the names, pack. Does nothing when source,
 * dependencies, contract, engine and manifest are those of the last build.
 *
 * @throws Error when the source cannot be bundled, does not fit the contract, or imports what no driver is given;
 * MurmurError what `packDriver` throws.
 */
export async function buildDriver(options: BuildDriverOptions): Promise<BuiltDriver> {
  const directory = resolve(options.directory);
  const engine = options.engine ?? 'quickjs';
  const outDirectory = resolve(directory, options.outDirectory ?? 'dist');
  const manifestPath = join(directory, 'murmur.yaml');
  const componentPath = join(outDirectory, `${options.baseName ?? 'component'}.wasm`);
  const recordPath = join(outDirectory, `${options.baseName ?? 'component'}.build.json`);

  const source = await bundleDriver(
    join(directory, options.entry ?? 'src/index.ts'),
    options.constants ?? {},
  );
  const inputs = await hashInputs(
    [engineVersion(engine, directory), source, await readFile(manifestPath, 'utf8')],
    WIT_DIRECTORY,
  );
  const standing = await standingArchive(recordPath, inputs, componentPath);
  if (standing !== undefined) return { componentPath, archivePath: standing, unchanged: true };

  await mkdir(outDirectory, { recursive: true });
  // First the record goes: results without one are never taken for finished.
  await rm(recordPath, { force: true });
  const component = await componentizeDriver(source, { witDirectory: WIT_DIRECTORY, engine, directory });
  const problems = driverNameProblems(readNames(component));
  if (problems.length > 0) throw new Error(`${directory} does not build a driver: ${problems.join('; ')}`);
  await writeWhole(componentPath, component);
  const output =
    options.baseName === undefined ? outDirectory : join(outDirectory, `${options.baseName}.mur.zip`);
  const archivePath = await packDriver({ manifestPath, component, output });
  await writeWhole(recordPath, JSON.stringify({ inputs, archivePath }));
  return { componentPath, archivePath, unchanged: false };
}

/** The archive of the last build, if that build had these inputs and its results are still there. */
async function standingArchive(
  recordPath: string,
  inputs: string,
  componentPath: string,
): Promise<string | undefined> {
  try {
    const record = JSON.parse(await readFile(recordPath, 'utf8')) as Readonly<Record<string, unknown>>;
    if (record.inputs !== inputs || typeof record.archivePath !== 'string') return undefined;
    await access(componentPath);
    await access(record.archivePath);
    return record.archivePath;
  } catch {
    return undefined;
  }
}

/** By rename, so that a test reading beside a rebuild never sees half a file. */
async function writeWhole(path: string, contents: Uint8Array | string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, contents);
  await rename(temporary, path);
}
