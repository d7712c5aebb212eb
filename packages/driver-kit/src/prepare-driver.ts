import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decompressionLimitBytes, openArtifact } from '@murmur/artifacts';
import { type ComponentRuntime, createComponentRuntime, type PreparedComponent } from '@murmur/components';
import { openJail } from '@murmur/containment';
import { MurmurError } from '@murmur/errors';
import { type LoadedDriver, loadProcessDriver, mayImport } from '@murmur/process-driver';

export interface CheckDriverOptions {
  /** A component, or a `.mur.zip` archive with one inside. */
  readonly bytes: Uint8Array;
  /** Name and version of the artifact: what an archive must hold, and what messages say. */
  readonly name: string;
  readonly version: string;
  /** Judges a host the driver needs: null, or what is wrong with it as an entry of `capabilities.network.allow`. */
  readonly isNetworkEntry?: (entry: string) => string | null;
  /** Program of a guest process; default: that of `@murmur/components`. Set when the calling program is bundled. */
  readonly guestEntry?: string;
  /** Program of a transpiler; default: that of `@murmur/components`. Set when the calling program is bundled. */
  readonly transpileEntry?: string;
}

/** A driver loaded as before a run, and what instances of it are started with. */
export interface PreparedDriver {
  readonly loaded: LoadedDriver;
  readonly runtime: ComponentRuntime;
  readonly component: PreparedComponent;
  /** The component, out of its archive. */
  readonly bytes: Uint8Array;
  /** Removes the compiled form. */
  dispose(): Promise<void>;
}

export async function prepareDriver(options: CheckDriverOptions): Promise<PreparedDriver> {
  const bytes = await componentOf(options);
  const cacheDirectory = await mkdtemp(join(tmpdir(), 'murmur-check-'));
  const dispose = () => rm(cacheDirectory, { recursive: true, force: true });
  try {
    const { name, version, isNetworkEntry, guestEntry, transpileEntry } = options;
    const runtime = createComponentRuntime({
      cacheDirectory,
      openJail: (label) => openJail({ class: 'advisory', label }),
      ...(guestEntry === undefined ? {} : { guestEntry }),
      ...(transpileEntry === undefined ? {} : { transpileEntry }),
    });
    const loaded = await loadProcessDriver({
      name,
      version,
      bytes,
      components: runtime,
      ...(isNetworkEntry === undefined ? {} : { isNetworkEntry }),
    });
    // Compiled a moment ago: this finds it in the cache.
    const component = await runtime.prepare(bytes, { allowImports: mayImport });
    return { loaded, runtime, component, bytes, dispose };
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
