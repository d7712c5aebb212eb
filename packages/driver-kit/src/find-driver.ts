import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { decompressionLimitBytes, openUnnamedArtifact } from '@murmur/artifacts';

/** Built bytes of a driver and the name they go by. */
export interface FoundDriver {
  /** A component, or an archive with one. */
  readonly bytes: Uint8Array;
  readonly name: string;
  /** `0.0.0` for a bare component, which says nothing of its version. */
  readonly version: string;
  /** The file the bytes are from. */
  readonly path: string;
}

/**
 * Finds a built driver: a `.mur.zip`, a component, or a driver's directory whose `dist` holds one of them.
 *
 * @throws Error when there is nothing built, MurmurError `ArtifactArchive` (E-IO-003) for an archive that cannot be read
 */
export async function findDriver(path: string): Promise<FoundDriver> {
  const kind = await stat(path).catch(() => null);
  if (kind === null)
    throw new Error(`${path} does not exist: name a .mur.zip, a component or a driver's directory`);
  const file = kind.isDirectory() ? await builtIn(path) : path;
  const bytes = await readFile(file);
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b)
    return { bytes, name: basename(file).replace(/\.wasm$/, ''), version: '0.0.0', path: file };
  const label = { name: basename(file), version: '' };
  const { manifest } = await openUnnamedArtifact(bytes, {
    ...label,
    maxDecompressedBytes: decompressionLimitBytes({}),
  });
  return { bytes, name: manifest.name, version: manifest.version, path: file };
}

async function builtIn(directory: string): Promise<string> {
  const dist = join(directory, 'dist');
  const names = await readdir(dist).catch((): string[] => []);
  const archives = names.filter((name) => name.endsWith('.mur.zip'));
  if (archives.length > 1)
    throw new Error(`${dist} holds several archives (${archives.sort().join(', ')}): name the one you mean`);
  const found = archives[0] ?? names.find((name) => name === 'component.wasm');
  if (found === undefined)
    throw new Error(`${directory} holds no built driver in dist: build it first (mur driver build)`);
  return join(dist, found);
}
