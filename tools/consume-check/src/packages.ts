import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly bin?: string | Readonly<Record<string, string>>;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export interface PublishablePackage {
  readonly directory: string;
  readonly manifest: PackageManifest;
  /** False for a platform package of another platform. */
  readonly runsHere: boolean;
}

const GROUPS = ['packages', 'apps'];

/** Every workspace package that is meant for the registry, in the order of their names. */
export async function publishablePackages(root: string): Promise<readonly PublishablePackage[]> {
  const found: PublishablePackage[] = [];
  for (const group of GROUPS) {
    for (const name of await readdir(join(root, group)).catch(() => [])) {
      const directory = join(root, group, name);
      const manifest = await readManifest(directory);
      if (manifest === null || manifest.private === true) continue;
      found.push({ directory, manifest, runsHere: runsHere(manifest) });
    }
  }
  return found.sort((a, b) => (a.manifest.name < b.manifest.name ? -1 : 1));
}

/** The manifest in a directory; null when there is none. */
export async function readManifest(directory: string): Promise<PackageManifest | null> {
  const text = await readFile(join(directory, 'package.json'), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as PackageManifest);
}

function runsHere(manifest: PackageManifest): boolean {
  const { os = [process.platform], cpu = [process.arch] } = manifest;
  return os.includes(process.platform) && cpu.includes(process.arch);
}
