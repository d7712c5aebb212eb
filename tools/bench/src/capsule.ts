import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { miniAgentPath } from '@murmur-tools/mini-harness';
import { plainEnvironment, runQuietly } from './spawn.js';

export interface MiniCapsule {
  readonly mur: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
  /** Throws away what earlier runs left in the home: caches, sessions, stores. */
  forget(): Promise<void>;
}

/** Path of the newest built mini driver. */
async function miniDriverArchive(root: string): Promise<string> {
  const directory = join(root, 'tools/mini-harness/dist');
  const archives = (await readdir(directory)).filter((name) => name.endsWith('.mur.zip')).sort();
  const newest = archives.at(-1);
  if (newest === undefined) throw new Error('the mini driver is not built');
  return join(directory, newest);
}

/** A capsule of its own around the mini agent, its driver installed and locked. */
export async function makeMiniCapsule(root: string, scratch: string, modelUrl: string): Promise<MiniCapsule> {
  const mur = join(root, 'apps/mur/dist/mur.js');
  const project = join(scratch, 'capsule');
  const home = join(scratch, 'home');
  await mkdir(project, { recursive: true });
  await mkdir(home, { recursive: true, mode: 0o700 });
  const archive = await miniDriverArchive(root);
  const version = /-(\d[^/]*)\.mur\.zip$/.exec(archive)?.[1] ?? '0.0.0';
  await copyFile(archive, join(scratch, 'driver.mur.zip'));
  await writeFile(join(project, 'murmur.yaml'), manifest(version));
  const env = { ...plainEnvironment(home), MINI_BASE_URL: modelUrl };
  await runQuietly(process.execPath, [mur, 'install', join(scratch, 'driver.mur.zip')], {
    cwd: project,
    env,
  });
  return {
    mur,
    project,
    env,
    async forget() {
      await rm(home, { recursive: true, force: true });
      await mkdir(home, { recursive: true, mode: 0o700 });
    },
  };
}

function manifest(driverVersion: string): string {
  return `name: bench
version: 0.1.0
artifacts:
  - name: murmur-driver-mini
    version: ${driverVersion}
    runtime: driver
inference:
  transport: process
  command: ${miniAgentPath}
  driver:
    artifact: murmur-driver-mini
capabilities:
  env:
    allow: [HOME, PATH, MINI_BASE_URL]
  harness:
    paths:
      - path: ~/.mini-agent
        access: read-write
`;
}
