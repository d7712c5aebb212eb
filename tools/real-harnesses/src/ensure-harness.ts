import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { npmEnvironment } from './npm-environment.js';
import { pinOf } from './pins.js';
import { singleFlight } from './single-flight.js';

const CLONE = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Path of a pinned harness's native binary, installed from npm on first use below `<clone>/.cache/harnesses`.
 * Starting that file instead of the package's script avoids Node. Throws when it cannot be had: a test that needs a
 * real harness fails without one, it never skips.
 */
export async function ensureHarness(name: string): Promise<string> {
  const pin = pinOf(name);
  const platform = `${process.platform}-${process.arch}`;
  const relative = pin.binaries[platform];
  if (relative === undefined)
    throw new Error(`${pin.package} ${pin.version}: no binary is pinned for ${platform}`);
  const directory = join(CLONE, '.cache/harnesses', `${name}-${pin.version}`);
  const binary = join(directory, relative);
  if (await isExecutable(binary)) return binary;
  return singleFlight(directory, async () => {
    if (await isExecutable(binary)) return binary;
    await install(directory, pin.package, pin.version);
    if (!(await isExecutable(binary)))
      throw new Error(`${pin.package} ${pin.version} was installed without ${relative}`);
    return binary;
  });
}

/** Installs beside the goal and renames, so that a directory by the final name is always whole. */
async function install(directory: string, packageName: string, version: string): Promise<void> {
  await mkdir(dirname(directory), { recursive: true });
  await removeLeftovers(directory);
  const building = await mkdtemp(`${directory}.`);
  try {
    // npm takes its global settings from below `--prefix`; a project of its own keeps those of the machine.
    await writeFile(join(building, 'package.json'), '{"private":true}\n');
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--save-exact'];
    await promisify(execFile)('npm', ['install', ...options, `${packageName}@${version}`], {
      cwd: building,
      env: npmEnvironment(join(CLONE, '.cache/npm')),
      maxBuffer: 16 * 1024 * 1024,
    });
    await rm(directory, { recursive: true, force: true });
    await rename(building, directory);
  } catch (error) {
    throw new Error(`${packageName} ${version} could not be installed from npm`, { cause: error });
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

/** What a killed install left: hundreds of megabytes that nobody else would remove. We hold the lock. */
async function removeLeftovers(directory: string): Promise<void> {
  const parent = dirname(directory);
  for (const name of await readdir(parent)) {
    if (name.startsWith(`${basename(directory)}.`))
      await rm(join(parent, name), { recursive: true, force: true });
  }
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
