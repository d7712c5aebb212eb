import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readNames } from '@murmur/components';
import { bundleDriver } from './bundle.js';
import { driverNameProblems } from './check-names.js';
import { componentizeDriver, WIT_DIRECTORY } from './componentize.js';
import { hashInputs } from './input-hash.js';

export interface BuildDriverOptions {
  /** The driver's directory; it holds `murmur.yaml` with `runtime: driver` and `requires_files: [capsule.wasm]`. */
  readonly directory: string;
  /** Main module below the directory; default `src/index.ts`. */
  readonly entry?: string;
  /** Where results go; default `dist` below the directory. */
  readonly outDirectory?: string;
  /** File name of the results without extension; default `component` for the component. */
  readonly name?: string;
  /** Names replaced by text while bundling, for drivers built in several variants. */
  readonly constants?: Readonly<Record<string, string>>;
}

export interface BuiltDriver {
  readonly componentPath: string;
  /** True when nothing the build depends on had changed and the results of the last build stand. */
  readonly unchanged: boolean;
}

/**
 * Builds a driver: bundle, componentize, check of the names.
 *
 * @throws Error when the source cannot be bundled, does not fit the contract, or imports what no driver is given.
 */
export async function buildDriver(options: BuildDriverOptions): Promise<BuiltDriver> {
  const directory = resolve(options.directory);
  const outDirectory = resolve(directory, options.outDirectory ?? 'dist');
  const name = options.name ?? 'component';
  const componentPath = join(outDirectory, `${name}.wasm`);
  const recordPath = join(outDirectory, `${name}.inputs`);

  const source = await bundleDriver(
    join(directory, options.entry ?? 'src/index.ts'),
    options.constants ?? {},
  );
  const manifest = await readFile(join(directory, 'murmur.yaml'), 'utf8');
  const inputs = await hashInputs([source, manifest], WIT_DIRECTORY);
  if (await stands(recordPath, inputs, [componentPath])) return { componentPath, unchanged: true };

  await mkdir(outDirectory, { recursive: true });
  await rm(recordPath, { force: true });
  const component = await componentizeDriver(source, WIT_DIRECTORY);
  const problems = driverNameProblems(readNames(component));
  if (problems.length > 0) throw new Error(`${directory} does not build a driver: ${problems.join('; ')}`);
  await writeWhole(componentPath, component);
  await writeWhole(recordPath, inputs);
  return { componentPath, unchanged: false };
}

async function stands(recordPath: string, inputs: string, results: readonly string[]): Promise<boolean> {
  try {
    if ((await readFile(recordPath, 'utf8')) !== inputs) return false;
    for (const result of results) await readFile(result);
    return true;
  } catch {
    return false;
  }
}

/** By rename, so that a test reading beside a rebuild never sees half a file. */
async function writeWhole(path: string, contents: Uint8Array | string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, contents);
  await rename(temporary, path);
}
