import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { npmEnvironment } from '@murmur-tools/real-harnesses';
import { run } from './run.js';

/** Packs every package of the workspace as `pnpm publish` would; answers with tarball paths by package name. */
export async function packAll(
  root: string,
  directory: string,
  npmCache: string,
): Promise<ReadonlyMap<string, string>> {
  const { packageManager } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    packageManager: string;
  };
  const filters = ['--filter', './packages/*', '--filter', './apps/*'];
  const args = ['--recursive', ...filters, 'pack', '--json', '--pack-destination', directory];
  const env = npmEnvironment(npmCache);
  const result = await run('npx', ['--yes', packageManager, ...args], { cwd: root, env });
  if (result.code !== 0) throw new Error(`packing failed:\n${result.output}`);
  const packed = JSON.parse(result.stdout.slice(result.stdout.indexOf('['))) as {
    name: string;
    filename: string;
  }[];
  return new Map(packed.map(({ name, filename }) => [name, filename]));
}
