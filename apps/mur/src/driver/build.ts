import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as kit from '@murmur/driver-kit';
import type { Host } from '../host.js';
import { reportingFailure } from './reporting-failure.js';

/**
 * `mur driver build`: builds with the kit that the driver's own project has installed, so that a project's builds do
 * not change with `mur`, and `mur` carries neither bundler nor engine.
 */
export function driverBuild(
  directory: string,
  flags: { engine?: kit.DriverEngine },
  host: Host,
): Promise<number> {
  return reportingFailure(async () => {
    const project = path.resolve(host.cwd, directory);
    const { buildDriver } = await projectKit(project);
    const built = await buildDriver({
      directory: project,
      ...(flags.engine === undefined ? {} : { engine: flags.engine }),
    });
    process.stdout.write(`${built.unchanged ? 'Unchanged' : 'Built driver'}: ${built.archivePath}\n`);
    return 0;
  });
}

async function projectKit(project: string): Promise<typeof kit> {
  let manifestPath: string;
  try {
    manifestPath = createRequire(path.join(project, 'package.json')).resolve(
      '@murmur/driver-kit/package.json',
    );
  } catch (cause) {
    throw new Error(
      `${project} has no driver kit: npm install --save-dev @murmur/driver-kit @murmur/driver-sdk`,
      { cause },
    );
  }
  const { exports } = JSON.parse(readFileSync(manifestPath, 'utf8')) as {
    exports: { '.': { default: string } };
  };
  const entry = path.join(path.dirname(manifestPath), exports['.'].default);
  return (await import(pathToFileURL(entry).href)) as typeof kit;
}
