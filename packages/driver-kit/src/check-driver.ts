import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decompressionLimitBytes, openArtifact } from '@murmur/artifacts';
import { createComponentRuntime } from '@murmur/components';
import { openJail } from '@murmur/containment';
import { MurmurError } from '@murmur/errors';
import { type DriverDescription, type DriverInstance, loadProcessDriver } from '@murmur/process-driver';

export interface CheckDriverOptions {
  /** A component, or a `.mur.zip` archive with one inside. */
  readonly bytes: Uint8Array;
  /** Name and version of the artifact: what an archive must hold, and what messages say. */
  readonly name: string;
  readonly version: string;
  /** Judges a host the driver needs: null, or what is wrong with it as an entry of `capabilities.network.allow`. */
  readonly isNetworkEntry?: (entry: string) => string | null;
}

/** A driver that passed. Dispose of it to remove its compiled form; dispose of its instances before. */
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
 * @throws MurmurError `ProcessDriverInterfaceMissing` (E-RUN-029), `ProcessDriverLoad` (E-RUN-032),
 * `ArtifactArchive` (E-IO-003) for an archive that cannot be read
 */
export async function checkDriver(options: CheckDriverOptions): Promise<CheckedDriver> {
  const bytes = await componentOf(options);
  const cacheDirectory = await mkdtemp(join(tmpdir(), 'murmur-check-'));
  const dispose = () => rm(cacheDirectory, { recursive: true, force: true });
  try {
    const { isNetworkEntry } = options;
    const loaded = await loadProcessDriver({
      name: options.name,
      version: options.version,
      bytes,
      components: createComponentRuntime({
        cacheDirectory,
        openJail: (label) => openJail({ class: 'advisory', label }),
      }),
      ...(isNetworkEntry === undefined ? {} : { isNetworkEntry }),
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

async function componentOf({ bytes, name, version }: CheckDriverOptions): Promise<Uint8Array> {
  const isArchive = bytes[0] === 0x50 && bytes[1] === 0x4b;
  if (!isArchive) return bytes;
  const maxDecompressedBytes = decompressionLimitBytes({});
  const { role, payload } = await openArtifact(Buffer.from(bytes), { name, version, maxDecompressedBytes });
  if (role === 'driver') return payload;
  const message = `its manifest says runtime: ${role ?? 'something unknown'}, not driver`;
  throw new MurmurError({ variant: 'ProcessDriverLoad', name, version, message });
}
