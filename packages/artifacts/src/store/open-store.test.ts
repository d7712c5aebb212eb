import { execFile, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { PlatformTag } from '@murmur/manifest';
import { expect, test } from 'vitest';
import { conditionOf, filesBelow, scratch } from '../../test/scratch.js';
import { sha256Of } from '../sha256.js';
import type { ArtifactMeta } from './meta.js';
import { openGlobalStore, openProjectStore, openStore } from './open-store.js';
import type { ArtifactStore } from './store.js';

const installUntil = fileURLToPath(new URL('../../test/install-until.mjs', import.meta.url));
const installOften = fileURLToPath(new URL('../../test/install-often.mjs', import.meta.url));

function metaOf(name: string, version: string, change: Partial<ArtifactMeta> = {}): ArtifactMeta {
  return {
    name,
    version,
    runtime: 'wasm',
    artifactRuntime: 'driver',
    platforms: [],
    description: null,
    tags: [],
    ...change,
  };
}

function file(
  store: ArtifactStore,
  name: string,
  version: string,
  content: string,
  platform: PlatformTag | null = null,
  meta: Partial<ArtifactMeta> = {},
) {
  const bytes = Buffer.from(content);
  return store.install({ name, version, platform, bytes, meta: metaOf(name, version, meta) });
}

test('what is filed is resolved, with the names the format prescribes', async () => {
  const root = path.join(scratch(), 'store');
  const store = openStore(root);
  const contracts = { exports: ['murmur:driver/process@0.6.0'], imports: [] };
  const filed = await file(store, 'thing', '1.0.0', 'bytes', null, {
    description: 'does a thing',
    tags: ['a'],
    witContracts: contracts,
  });
  expect(filed).toEqual({ file: path.join(root, 'thing/1.0.0/thing-1.0.0.mur.zip'), unchanged: false });
  expect(filesBelow(root)).toEqual([
    'thing/1.0.0/thing-1.0.0.meta.json',
    'thing/1.0.0/thing-1.0.0.mur.zip',
    'thing/1.0.0/thing-1.0.0.sha256',
  ]);
  expect(JSON.parse(fs.readFileSync(path.join(root, 'thing/1.0.0/thing-1.0.0.meta.json'), 'utf8'))).toEqual({
    meta: {
      name: 'thing',
      version: '1.0.0',
      runtime: 'wasm',
      artifact_runtime: 'driver',
      platforms: [],
      description: 'does a thing',
      tags: ['a'],
      wit_contracts: contracts,
    },
  });
  const resolved = await store.resolve('thing', '1.0.0', 'linux-x86_64');
  expect(resolved).toMatchObject({
    sha256: sha256Of(Buffer.from('bytes')),
    platform: null,
    meta: { artifactRuntime: 'driver', witContracts: contracts },
  });
  expect(resolved?.bytes.toString()).toBe('bytes');
});

test('the fingerprint tells the recorded digest beside the real one, without judging', async () => {
  const root = scratch();
  const store = openStore(root);
  const { file: archive } = await file(store, 'thing', '1.0.0', 'bytes');
  const recorded = sha256Of(Buffer.from('bytes'));
  expect(await store.fingerprint('thing', '1.0.0', 'unknown')).toEqual({ recorded, actual: recorded });
  fs.writeFileSync(archive, 'others');
  const actual = sha256Of(Buffer.from('others'));
  expect(await store.fingerprint('thing', '1.0.0', 'linux-x86_64')).toEqual({ recorded, actual });
  fs.writeFileSync(path.join(root, 'thing/1.0.0/thing-1.0.0.sha256'), 'no digest');
  expect(await store.fingerprint('thing', '1.0.0', 'unknown')).toEqual({ recorded: null, actual });
  expect(await store.fingerprint('thing', '2.0.0', 'unknown')).toBeNull();
});

test('filing the same bytes again changes nothing, and other bytes replace the whole set', async () => {
  const root = scratch();
  const store = openStore(root);
  await file(store, 'thing', '1.0.0', 'one');
  expect(await file(store, 'thing', '1.0.0', 'one')).toMatchObject({ unchanged: true });
  expect(await file(store, 'thing', '1.0.0', 'two')).toMatchObject({ unchanged: false });
  expect((await store.resolve('thing', '1.0.0', 'unknown'))?.bytes.toString()).toBe('two');
  expect(filesBelow(root)).toHaveLength(3);
});

test('a missing store, name, version or half of a pair is simply not there', async () => {
  const root = scratch();
  const store = openStore(path.join(root, 'none'));
  expect(await store.resolve('thing', '1.0.0', 'unknown')).toBeNull();
  expect(await store.has('thing', '1.0.0', 'unknown')).toBe(false);
  expect(await store.list()).toEqual([]);
  expect(fs.readdirSync(root)).toEqual([]);
  await file(store, 'thing', '1.0.0', 'one');
  for (const [name, version] of [
    ['thing', '2.0.0'],
    ['other', '1.0.0'],
    ['thing', '../1.0.0'],
    ['../thing', '1.0.0'],
    ['thing', ''],
  ] as const) {
    expect(await store.has(name, version, 'unknown')).toBe(false);
    expect(await store.resolve(name, version, 'unknown')).toBeNull();
  }
  fs.rmSync(path.join(root, 'none/thing/1.0.0/thing-1.0.0.sha256'));
  expect(await store.has('thing', '1.0.0', 'unknown')).toBe(false);
  expect(await store.resolve('thing', '1.0.0', 'unknown')).toBeNull();
  expect(await store.list()).toEqual([]);
});

test("a platform's own variant comes before the one for all, and no other platform's ever", async () => {
  const store = openStore(scratch());
  await file(store, 'tool', '1.0.0', 'mac', 'darwin-aarch64', { runtime: 'native' });
  expect(await store.resolve('tool', '1.0.0', 'linux-x86_64')).toBeNull();
  await file(store, 'tool', '1.0.0', 'all');
  await file(store, 'tool', '1.0.0', 'linux', 'linux-x86_64', { runtime: 'native' });
  const of = async (platform: PlatformTag | 'unknown') =>
    (await store.resolve('tool', '1.0.0', platform))?.bytes.toString();
  expect(await of('linux-x86_64')).toBe('linux');
  expect(await of('darwin-aarch64')).toBe('mac');
  expect(await of('linux-aarch64')).toBe('all');
  expect(await of('unknown')).toBe('all');
});

test('list gives every variant, sorted, also scoped ones and ones without a description', async () => {
  const root = scratch();
  const store = openStore(root);
  await file(store, 'b', '1.0.0', 'x');
  await file(store, 'a-b', '1.0.0', 'x');
  await file(store, 'a', '2.0.0', 'x');
  await file(store, 'a', '1.0.0', 'x', 'linux-x86_64', { runtime: 'native', platforms: ['linux-x86_64'] });
  await file(store, 'scope/a', '1.0.0', 'scoped');
  fs.rmSync(path.join(root, 'b/1.0.0/b-1.0.0.meta.json'));
  fs.writeFileSync(path.join(root, 'a/2.0.0/a-2.0.0.meta.json'), '{"meta":[1]}');
  fs.writeFileSync(path.join(root, 'a/2.0.0/stranger.sha256'), 'x');
  fs.mkdirSync(path.join(root, 'Not A Name/1'), { recursive: true });
  const listed = await store.list();
  expect(listed.map(({ name, version, runtime, platform }) => [name, version, runtime, platform])).toEqual([
    ['a', '1.0.0', 'native', 'linux-x86_64'],
    ['a', '2.0.0', 'wasm', null],
    ['a-b', '1.0.0', 'wasm', null],
    ['b', '1.0.0', 'wasm', null],
    ['scope/a', '1.0.0', 'wasm', null],
  ]);
  expect(listed[0]?.platforms).toEqual(['linux-x86_64']);
  expect((await store.resolve('scope/a', '1.0.0', 'unknown'))?.bytes.toString()).toBe('scoped');
});

test.each<[string, string]>([
  ['other bytes', 'mur.zip'],
  ['another digest', 'sha256'],
  ['a blank digest', 'sha256'],
])('%s on disk fail the integrity check', async (what, extension) => {
  const root = scratch();
  const store = openStore(root);
  await file(store, 'thing', '1.0.0', 'one');
  const content = what === 'a blank digest' ? ' \n' : sha256Of(Buffer.from(what));
  fs.writeFileSync(path.join(root, `thing/1.0.0/thing-1.0.0.${extension}`), content);
  expect(await conditionOf(() => store.resolve('thing', '1.0.0', 'unknown'))).toMatchObject({
    variant: 'ArtifactIntegrityFailed',
    code: 'E-REG-002',
    name: 'thing',
    version: '1.0.0',
  });
  await file(store, 'thing', '1.0.0', 'one');
  expect((await store.resolve('thing', '1.0.0', 'unknown'))?.bytes.toString()).toBe('one');
});

test('a link anywhere below the trusted directory is refused, and nothing outside is read or written', async () => {
  for (const planted of [
    '.murmur',
    '.murmur/artifacts',
    '.murmur/artifacts/thing',
    '.murmur/artifacts/thing/1.0.0',
  ]) {
    const project = scratch();
    const outside = scratch();
    const store = openProjectStore(project);
    await file(store, 'thing', '1.0.0', 'one');
    fs.cpSync(path.join(project, planted), outside, { recursive: true });
    fs.rmSync(path.join(project, planted), { recursive: true });
    fs.symlinkSync(outside, path.join(project, planted));
    const before = filesBelow(outside);
    for (const action of [
      () => store.resolve('thing', '1.0.0', 'unknown'),
      () => file(store, 'thing', '1.0.0', 'two'),
    ]) {
      expect(await conditionOf(action), planted).toMatchObject({ code: 'E-RUN-904' });
    }
    expect(filesBelow(outside)).toEqual(before);
  }
});

test('the global store makes its parent private and itself readable', async () => {
  const home = scratch();
  await file(openGlobalStore(home), 'thing', '1.0.0', 'one');
  expect(fs.statSync(path.join(home, '.murmur')).mode & 0o777).toBe(0o700);
  expect(fs.statSync(path.join(home, '.murmur/artifacts')).mode & 0o777).toBe(0o755);
});

test('a name or version that cannot be a file name is not filed', async () => {
  const store = openStore(scratch());
  for (const [name, version] of [
    ['thing', '../../x'],
    ['thing', '.hidden'],
    ['Thing', '1.0.0'],
    ['a/b/c', '1.0.0'],
    ['thing', '1:0'],
  ] as const) {
    expect(await conditionOf(() => file(store, name, version, 'x'))).toMatchObject({ code: 'E-IO-003' });
  }
});

test('installers side by side and a reader meanwhile: every look finds one whole artifact', async () => {
  const root = scratch();
  const store = openStore(root);
  await file(store, 'thing', '1.0.0', 'first '.repeat(1000));
  const installers = ['a', 'b', 'c'].map((who) =>
    promisify(execFile)(process.execPath, [installOften, root, '8', who]),
  );
  let running = true;
  const done = Promise.all(installers).finally(() => {
    running = false;
  });
  let looks = 0;
  while (running) {
    const resolved = await store.resolve('thing', '1.0.0', 'unknown');
    expect(new Set(resolved?.bytes.toString().match(/[a-z]+ /g)).size).toBe(1);
    looks += 1;
  }
  await done;
  expect(looks).toBeGreaterThan(0);
  expect(filesBelow(root)).toHaveLength(3);
});

test('an installer killed anywhere leaves the old artifact or the new one, and the next leaves no trace', async () => {
  const prepared = scratch();
  await file(openStore(prepared), 'thing', '1.0.0', 'old', null, { runtime: 'static' });
  const run = (root: string, until: string) =>
    spawnSync(process.execPath, [installUntil, root, 'new', until], { encoding: 'utf8' });
  const counting = scratch();
  fs.cpSync(prepared, counting, { recursive: true });
  const calls = Number(run(counting, 'count').stdout);
  expect(calls).toBeGreaterThan(30);
  const outcomes = new Set<string>();
  const points = 30;
  for (let point = 1; point <= points; point += 1) {
    const until = Math.ceil((point * calls) / points);
    const root = scratch();
    fs.cpSync(prepared, root, { recursive: true });
    expect(run(root, String(until)).signal).toBe('SIGKILL');
    const store = openStore(root);
    expect(await store.has('thing', '1.0.0', 'unknown')).toBe(true);
    const found = (await store.resolve('thing', '1.0.0', 'unknown'))?.bytes.toString() ?? 'nothing';
    expect(['old', 'new']).toContain(found);
    outcomes.add(found);
    await file(store, 'thing', '1.0.0', 'next');
    expect((await store.resolve('thing', '1.0.0', 'unknown'))?.bytes.toString()).toBe('next');
    expect(filesBelow(root)).toHaveLength(3);
  }
  expect([...outcomes].sort()).toEqual(['new', 'old']);
});
