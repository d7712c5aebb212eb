import type { DriverDescription, DriverInstance } from '@murmur/process-driver';
import { type CheckDriverOptions, prepareDriver } from './prepare-driver.js';

/** A driver that passed. Dispose of it to remove its compiled form; dispose of its instances before. */
export interface CheckedDriver extends AsyncDisposable {
  readonly description: DriverDescription;
  /** Names as written in the component, with their versions. */
  readonly imports: readonly string[];
  readonly exports: readonly string[];
  /** Size of the component. */
  readonly sizeBytes: number;
  /** A guest process with one instance, to try `launch`, `parse` and the rest on. */
  openInstance(): Promise<DriverInstance>;
}

/**
 * Loads built bytes exactly as the runtime does before a run: exported interface, imports, an instance without any
 * grant, `describe`, and the rules for what it answers. Implements "Loading a driver" of
 * `docs/spec/process-driver.md`.
 *
 * @throws MurmurError `ProcessDriverInterfaceMissing` (E-RUN-029), `ProcessDriverLoad` (E-RUN-032),
 * `ArtifactArchive` (E-IO-003) for an archive that cannot be read
 */
export async function checkDriver(options: CheckDriverOptions): Promise<CheckedDriver> {
  const { loaded, component, bytes, dispose } = await prepareDriver(options);
  return {
    description: loaded.description,
    imports: component.names.imports,
    exports: component.names.exports,
    sizeBytes: bytes.length,
    openInstance: () => loaded.openInstance(),
    [Symbol.asyncDispose]: dispose,
  };
}
