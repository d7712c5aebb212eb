import fs from 'node:fs';
import path from 'node:path';
import type { ArtifactEntry } from '@murmur/manifest';
import { expect, test } from 'vitest';
import { artifactDirectory, entries, entry } from '../../test/project.js';
import { conditionOf, filesBelow, scratch } from '../../test/scratch.js';
import { readLock } from '../lock/project-lock.js';
import { packArtifact } from '../pack/pack-artifact.js';
import { openGlobalStore, openProjectStore } from '../store/open-store.js';
import { installDeclared } from './install-declared.js';
import { installLocal } from './install-local.js';

const env = {};
const readInterfaces = (bytes: Uint8Array) =>
  Buffer.from(bytes).toString() === 'not a component'
    ? null
    : { exports: ['murmur:driver/process@0.6.0'], imports: [] };

function projectOf(...artifacts: ArtifactEntry[]) {
  const root = scratch();
  return { project: { root, artifacts }, store: openProjectStore(root), root };
}

test('a directory is packed, filed in the project store and pinned when the manifest declares it', async () => {
  const { project, store, root } = projectOf(entry('thing', '1.0.0'));
  const ref = artifactDirectory(scratch());
  const installed = await installLocal({ ref, store, project, env, readInterfaces });
  expect(installed).toMatchObject({
    name: 'thing',
    version: '1.0.0',
    platform: null,
    locked: true,
    adopted: null,
    unchanged: false,
    warnings: [],
    file: path.join(root, '.murmur/artifacts/thing/1.0.0/thing-1.0.0.mur.zip'),
  });
  expect(installed.artifact.payload.toString()).toBe('component');
  expect(filesBelow(ref)).toEqual(['murmur.yaml', 'thing.wasm']);
  expect((await readLock(root))?.artifacts).toMatchObject([
    { name: 'thing', sha256: { any: installed.sha256 }, origin: 'operator' },
  ]);
  expect((await store.list())[0]).toMatchObject({
    artifactRuntime: 'driver',
    witContracts: { exports: ['murmur:driver/process@0.6.0'] },
  });
});

test('installing twice is a fixed point: same store, same lock', async () => {
  const { project, store, root } = projectOf(entry('thing', '1.0.0'));
  const ref = artifactDirectory(scratch());
  await installLocal({ ref, store, project, env, readInterfaces });
  const lock = fs.readFileSync(path.join(root, 'murmur.lock'), 'utf8');
  const files = filesBelow(root);
  const again = await installLocal({ ref, store, project, env, readInterfaces });
  expect(again).toMatchObject({ unchanged: true, locked: true });
  await installDeclared({ project, stores: [store] });
  expect(fs.readFileSync(path.join(root, 'murmur.lock'), 'utf8')).toBe(lock);
  expect(filesBelow(root)).toEqual(files);
});

test('an archive file is filed as it is, also behind a link of the operator', async () => {
  const { project, store, root } = projectOf();
  const packed = await packArtifact({ directory: artifactDirectory(scratch()), env });
  const link = path.join(scratch(), 'link.mur.zip');
  fs.symlinkSync(packed.file, link);
  const installed = await installLocal({ ref: link, store, project, env, readInterfaces });
  expect(installed).toMatchObject({ sha256: packed.sha256, locked: false });
  expect(fs.existsSync(path.join(root, 'murmur.lock'))).toBe(false);
});

test.each<[string, ArtifactEntry[]]>([
  ['does not declare it', []],
  ['declares another version', [entry('thing', '2.0.0')]],
  ['declares another name', [entry('other', '1.0.0')]],
])('nothing is pinned when the manifest %s', async (_what, artifacts) => {
  const { project, store, root } = projectOf(...artifacts);
  const ref = artifactDirectory(scratch());
  expect(await installLocal({ ref, store, project, env, readInterfaces })).toMatchObject({ locked: false });
  expect(fs.existsSync(path.join(root, 'murmur.lock'))).toBe(false);
});

test('the global store is governed by no lock', async () => {
  const home = scratch();
  const ref = artifactDirectory(scratch(), { content: 'not a component' });
  const store = openGlobalStore(home);
  const installed = await installLocal({ ref, store, project: null, env, readInterfaces });
  expect(installed.file.startsWith(path.join(home, '.murmur/artifacts/'))).toBe(true);
  expect((await store.list())[0]).not.toHaveProperty('witContracts');
});

test('changed bytes under a pinned version are refused with nothing filed or written', async () => {
  const { project, store, root } = projectOf(entry('thing', '1.0.0'));
  const directory = artifactDirectory(scratch());
  await installLocal({ ref: directory, store, project, env, readInterfaces });
  const before = { lock: fs.readFileSync(path.join(root, 'murmur.lock')), files: filesBelow(root) };
  artifactDirectory(directory, { content: 'changed' });
  const refusal = { code: 'E-REG-005', name: 'thing', version: '1.0.0' };
  for (const artifacts of [project.artifacts, []]) {
    const action = () =>
      installLocal({ ref: directory, store, project: { root, artifacts }, env, readInterfaces });
    expect(await conditionOf(action)).toMatchObject(refusal);
  }
  expect(fs.readFileSync(path.join(root, 'murmur.lock'))).toEqual(before.lock);
  expect(filesBelow(root)).toEqual(before.files);
  expect((await store.resolve('thing', '1.0.0', 'unknown'))?.bytes.includes('changed')).toBe(false);
  // The way out that the message names: drop the entry, install again.
  fs.writeFileSync(path.join(root, 'murmur.lock'), 'lock_version: 2\nartifacts: []\n');
  expect(await installLocal({ ref: directory, store, project, env, readInterfaces })).toMatchObject({
    locked: true,
  });
});

test('a pin of another version is a conflict only where the manifest declares the new one', async () => {
  const { project, store, root } = projectOf(entry('thing', '1.0.0'));
  await installLocal({ ref: artifactDirectory(scratch()), store, project, env, readInterfaces });
  const ref = artifactDirectory(scratch(), { version: '2.0.0' });
  const declaring = { root, artifacts: [entry('thing', '2.0.0')] };
  expect(
    await conditionOf(() => installLocal({ ref, store, project: declaring, env, readInterfaces })),
  ).toMatchObject({ code: 'E-REG-005' });
  expect(await installLocal({ ref, store, project, env, readInterfaces })).toMatchObject({ locked: false });
});

test('a reference to nothing, to no archive and to no artifact is refused', async () => {
  const { project, store, root } = projectOf();
  const directory = scratch();
  const junk = path.join(directory, 'junk.mur.zip');
  fs.writeFileSync(junk, 'not a zip');
  const install = (ref: string) => () => installLocal({ ref, store, project, env, readInterfaces });
  expect(await conditionOf(install(path.join(directory, 'no.mur.zip')))).toMatchObject({ code: 'E-IO-001' });
  expect(await conditionOf(install(path.join(junk, 'x.mur.zip')))).toMatchObject({ code: 'E-IO-001' });
  expect(await conditionOf(install(directory))).toMatchObject({ code: 'E-IO-001' });
  expect(await conditionOf(install(junk))).toMatchObject({
    variant: 'ArtifactArchive',
    name: 'junk.mur.zip',
  });
  expect(await conditionOf(install('/dev/null'))).toMatchObject({ code: 'E-RUN-904' });
  expect(fs.readdirSync(root)).toEqual([]);
});

test('installing what is declared pins all that is there and names all that fails', async () => {
  const { root, store } = projectOf();
  const home = openGlobalStore(scratch());
  const project = {
    root,
    artifacts: [
      entry('one', '1.0.0'),
      entry('two', '1.0.0'),
      entry('gone', '1.0.0'),
      entry('broken', '1.0.0'),
      ...entries('  - { name: local, source: ./skills/local, runtime: skill }\n'),
    ],
  };
  for (const [name, target] of [
    ['one', store],
    ['two', home],
    ['broken', store],
  ] as const) {
    const ref = artifactDirectory(scratch(), { name });
    await installLocal({ ref, store: target, project: null, env, readInterfaces });
  }
  fs.writeFileSync(path.join(root, '.murmur/artifacts/broken/1.0.0/broken-1.0.0.mur.zip'), 'x');
  const result = await installDeclared({ project, stores: [store, home] });
  expect(result.installed.map(({ name }) => name)).toEqual(['one', 'two']);
  expect(result.failed.map(({ name, error }) => [name, error.diagnostic.code])).toEqual([
    ['gone', 'E-REG-001'],
    ['broken', 'E-REG-002'],
  ]);
  expect((await readLock(root))?.artifacts.map(({ name }) => name)).toEqual(['one', 'two']);
  expect(await installDeclared({ project: { root, artifacts: [] }, stores: [store] })).toEqual({
    installed: [],
    failed: [],
  });
});

test('a pin that a capsule made is adopted and reported', async () => {
  const { project, store, root } = projectOf(entry('thing', '1.0.0', 'tool'));
  const ref = artifactDirectory(scratch(), { role: 'tool' });
  const { sha256 } = await installLocal({ ref, store, project: null, env, readInterfaces });
  fs.writeFileSync(
    path.join(root, 'murmur.lock'),
    `lock_version: 2\nartifacts:\n  - name: thing\n    resolved_version: "1.0.0"\n    sha256: { any: ${sha256} }\n    origin: runtime\n    session: ses_7\n`,
  );
  const { installed } = await installDeclared({ project, stores: [store] });
  expect(installed[0]?.adopted).toEqual({ name: 'thing', version: '1.0.0', session: 'ses_7' });
  expect((await readLock(root))?.artifacts[0]?.origin).toBe('operator');
});
