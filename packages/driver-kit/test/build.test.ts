import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readNames } from '@murmur/components';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildComponent } from '../src/build-component.js';
import { buildDriver } from '../src/build-driver.js';
import { bundleDriver } from '../src/bundle.js';
import { driverNameProblems } from '../src/check-names.js';

/** Inside the package, so that kit and SDK are found. */
const temp = fileURLToPath(new URL('../temp/', import.meta.url));

const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));

let directory: string;
beforeAll(async () => {
  await mkdir(temp, { recursive: true });
  directory = await mkdtemp(join(temp, 'driver-'));
  await cp(fixture('probe-driver.ts'), join(directory, 'index.ts'));
  await writeFile(
    join(directory, 'murmur.yaml'),
    'name: probe\nversion: 1.0.0\nruntime: driver\nrequires_files: [capsule.wasm]\n',
  );
});
afterAll(() => rm(directory, { recursive: true, force: true }));

test('a driver that imports from Node or from what is not installed is not built', async () => {
  await expect(bundleDriver(fixture('imports-node.ts'), {})).rejects.toThrow('node:fs');
  await expect(bundleDriver(fixture('imports-missing.ts'), {})).rejects.toThrow(
    'a-package-that-is-not-installed',
  );
});

test('a module that exports no driver is not built', async () => {
  await expect(buildComponent({ entry: fixture('exports-nothing.ts') })).rejects.toThrow(
    'does not export `process`',
  );
});

test('what is built imports nothing and exports exactly the served interface', async () => {
  const names = readNames(await buildComponent({ entry: fixture('probe-driver.ts') }));
  expect(names.imports).toEqual([]);
  expect(driverNameProblems(names)).toEqual([]);
});

test('names that no driver may have are told apart', () => {
  const names = {
    kind: 'component' as const,
    imports: ['wasi:io/streams@0.2.6', 'murmur:host/x@1.0.0'],
    exports: ['murmur:driver/process@0.5.0'],
  };
  expect(driverNameProblems(names)).toEqual([
    'it does not export murmur:driver/process@0.6.0, only murmur:driver/process@0.5.0',
    'it imports murmur:host/x@1.0.0, which no driver is given',
  ]);
  expect(driverNameProblems(readNames(new TextEncoder().encode('(component)')))).toEqual([
    'the bytes are not a WebAssembly component',
  ]);
});

test('an unchanged driver is not built again; a changed source, manifest or damaged result is', async () => {
  const build = () => buildDriver({ directory, entry: 'index.ts' });
  const first = await build();
  expect(first.unchanged).toBe(false);
  const component = await readFile(first.componentPath);
  expect((await build()).unchanged).toBe(true);
  expect(await readFile(first.componentPath)).toEqual(component);

  await writeFile(
    join(directory, 'index.ts'),
    (await readFile(join(directory, 'index.ts'), 'utf8')).replace("'probe'", "'probe-2'"),
  );
  expect((await build()).unchanged).toBe(false);
  await rm(first.componentPath);
  expect((await build()).unchanged).toBe(false);
});

test('scratch files are gone after a build that failed', async () => {
  const before = await scratchOf();
  await buildComponent({ entry: fixture('breaks-at-build.ts') }).catch(() => undefined);
  expect(await scratchOf()).toEqual(before);
});

async function scratchOf(): Promise<readonly string[]> {
  const { readdir } = await import('node:fs/promises');
  return (await readdir(tmpdir())).filter((name) => name.startsWith(`murmur-driver-${process.pid}-`));
}
