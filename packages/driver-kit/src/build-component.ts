import { dirname, resolve } from 'node:path';
import { bundleDriver } from './bundle.js';
import { componentizeDriver, WIT_DIRECTORY } from './componentize.js';
import type { DriverEngine } from './engine.js';

export interface BuildComponentOptions {
  /** The driver's main module, TypeScript or JavaScript; it exports `process`. */
  readonly entry: string;
  /** Names replaced by text while bundling, for drivers built in several variants. */
  readonly constants?: Readonly<Record<string, string>>;
  /** Directory of another contract with a world `process-driver`; default: the contract this kit ships. */
  readonly witDirectory?: string;
  /** The engine inside; default `quickjs`. */
  readonly engine?: DriverEngine;
}

/**
 * Builds the component of a driver and nothing else: bundle, then an engine with the driver's code inside. About
 * one second with QuickJS, several with StarlingMonkey; no file is written.
 *
 * @throws Error when the source cannot be bundled or does not fit the `process-driver` world, or the engine is not installed.
 */
export async function buildComponent(options: BuildComponentOptions): Promise<Uint8Array> {
  const source = await bundleDriver(options.entry, options.constants ?? {});
  return componentizeDriver(source, {
    witDirectory: options.witDirectory ?? WIT_DIRECTORY,
    engine: options.engine ?? 'quickjs',
    directory: dirname(resolve(options.entry)),
  });
}
