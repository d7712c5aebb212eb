import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { npmEnvironment } from '@murmur-tools/real-harnesses';
import type { PublishablePackage } from './packages.js';
import { run } from './run.js';

export interface ConsumerOptions {
  /** An empty directory outside the workspace. */
  readonly directory: string;
  readonly packages: readonly PublishablePackage[];
  readonly tarballs: ReadonlyMap<string, string>;
  readonly npmCache: string;
  /** Nothing but the tarballs and npm's cache may be used. */
  readonly offline: boolean;
}

/** Makes an empty project and installs every tarball that runs on this platform into it, with npm, at once. */
export async function installTarballs(options: ConsumerOptions): Promise<void> {
  const { directory, tarballs } = options;
  const specs = (packages: readonly PublishablePackage[]): Record<string, string> =>
    Object.fromEntries(
      packages.map(({ manifest }) => [manifest.name, `file:${tarballs.get(manifest.name)}`]),
    );
  const isPlatformPackage = ({ manifest }: PublishablePackage): boolean => manifest.os !== undefined;
  const manifest = {
    name: 'consumer',
    private: true,
    type: 'module',
    dependencies: specs(options.packages.filter((each) => !isPlatformPackage(each))),
    optionalDependencies: specs(options.packages.filter(isPlatformPackage)),
    // What the packages want of each other comes from the same tarballs, not from the registry.
    overrides: Object.fromEntries(options.packages.map(({ manifest: { name } }) => [name, `$${name}`])),
  };
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const flags = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    options.offline ? '--offline' : '--prefer-offline',
  ];
  const result = await run('npm', ['install', ...flags], {
    cwd: directory,
    env: npmEnvironment(options.npmCache),
  });
  if (result.code !== 0) throw new Error(`npm could not install the tarballs:\n${result.output}`);
}
