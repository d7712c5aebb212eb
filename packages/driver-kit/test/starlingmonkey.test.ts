import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildComponent } from '../src/build-component.js';
import { STARLINGMONKEY_PACKAGE, STARLINGMONKEY_VERSION } from '../src/engine.js';
import { testComponentDriver } from '../src/testkit/component-driver.js';
import { runProperties } from '../src/testkit/run-properties.js';
import { toyCases } from './fixtures/toy/toy-cases.js';

const run = promisify(execFile);
/** Inside the package, so that the SDK is found. */
const temp = fileURLToPath(new URL('../temp/', import.meta.url));
const engines = fileURLToPath(new URL('../../../.cache/engines/', import.meta.url));

/**
 * The builder, installed once per clone: it is 380 MB with all it brings, which no other command should wait for.
 * Installed beside and renamed, so that a directory by that name is always whole.
 */
async function ensureBuilder(): Promise<string> {
  const home = join(engines, `componentize-js-${STARLINGMONKEY_VERSION}`);
  if (!existsSync(home)) {
    await mkdir(engines, { recursive: true });
    const fresh = await mkdtemp(join(engines, '.fresh-'));
    const pins = {
      private: true,
      dependencies: { [STARLINGMONKEY_PACKAGE]: STARLINGMONKEY_VERSION },
      overrides: { '@bytecodealliance/preview2-shim': '0.26.0' },
    };
    await writeFile(join(fresh, 'package.json'), JSON.stringify(pins));
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: fresh });
    await rename(fresh, home).catch((error: NodeJS.ErrnoException) => {
      // Another process was faster.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  }
  return join(home, 'node_modules/@bytecodealliance');
}

/** A sample: an instance of this engine takes its time to start. */
const cases = toyCases.filter(({ name }) => ['answer', 'tools', 'sign-in', 'login'].includes(name));

let project: string;
beforeAll(async () => {
  const builder = await ensureBuilder();
  await mkdir(temp, { recursive: true });
  project = await mkdtemp(join(temp, 'starling-'));
  await cp(fileURLToPath(new URL('./fixtures/toy/', import.meta.url)), project, { recursive: true });
  await mkdir(join(project, 'node_modules'));
  await symlink(builder, join(project, 'node_modules/@bytecodealliance'));
});
afterAll(() => rm(project, { recursive: true, force: true }));

test('a driver built with StarlingMonkey imports nothing and keeps every property', {
  timeout: 600_000,
}, async () => {
  const bytes = await buildComponent({
    entry: join(project, 'index.ts'),
    constants: { BROKEN: 'none' },
    engine: 'starlingmonkey',
  });
  const driver = await testComponentDriver({ bytes, name: 'toy', version: '1.0.0' });
  try {
    expect(driver.component?.imports).toEqual([]);
    const report = await runProperties({ name: 'toy', driver, cases, seed: 5, runs: 5 });
    expect(report.results.flatMap(({ findings }) => findings)).toEqual([]);
  } finally {
    await driver[Symbol.asyncDispose]();
  }
});

test('without its builder the engine is refused with what to install', async () => {
  const lonely = await mkdtemp(join(temp, 'lonely-'));
  try {
    await cp(fileURLToPath(new URL('./fixtures/probe-driver.ts', import.meta.url)), join(lonely, 'index.ts'));
    await expect(
      buildComponent({ entry: join(lonely, 'index.ts'), engine: 'starlingmonkey' }),
    ).rejects.toThrow(
      `npm install --save-dev --save-exact ${STARLINGMONKEY_PACKAGE}@${STARLINGMONKEY_VERSION}`,
    );
  } finally {
    await rm(lonely, { recursive: true, force: true });
  }
});
