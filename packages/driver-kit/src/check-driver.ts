import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createComponentRuntime } from '@murmur/components';
import { openJail } from '@murmur/containment';
import { type DriverDescription, type DriverInstance, loadProcessDriver } from '@murmur/process-driver';

export interface CheckDriverOptions {
  /** The component's bytes. */
  readonly bytes: Uint8Array;
  /** Artifact name and version, for messages; default `driver` and `0.0.0`. */
  readonly name?: string;
  readonly version?: string;
  /** Judges a host the driver needs: null, or what is wrong with it as an entry of `capabilities.network.allow`. */
  readonly isNetworkEntry?: (entry: string) => string | null;
}

/** A driver that passed. Dispose of it to remove its compiled form; instances must be disposed of before. */
export interface CheckedDriver extends AsyncDisposable {
  readonly description: DriverDescription;
  /** A guest process with one instance, to try `launch`, `parse` and the rest on. */
  openInstance(): Promise<DriverInstance>;
}

/**
 * Loads built bytes exactly as the runtime does before a run: exported interface, imports, an instance without any
 * grant, `describe`, and the rules for what it answers. Implements "Loading a driver" of
 * `docs/spec/process-driver.md`.
 *
 * @throws MurmurError `ProcessDriverInterfaceMissing` (E-RUN-029), `ProcessDriverLoad` (E-RUN-032)
 */
export async function checkDriver(options: CheckDriverOptions): Promise<CheckedDriver> {
  const cacheDirectory = await mkdtemp(join(tmpdir(), 'murmur-check-'));
  const dispose = () => rm(cacheDirectory, { recursive: true, force: true });
  try {
    const loaded = await loadProcessDriver({
      name: options.name ?? 'driver',
      version: options.version ?? '0.0.0',
      bytes: options.bytes,
      components: createComponentRuntime({
        cacheDirectory,
        openJail: (label) => openJail({ class: 'advisory', label }),
      }),
      ...(options.isNetworkEntry === undefined ? {} : { isNetworkEntry: options.isNetworkEntry }),
    });
    return {
      description: loaded.description,
      openInstance: () => loaded.openInstance(),
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}
