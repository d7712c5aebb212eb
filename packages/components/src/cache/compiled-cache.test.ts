import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { fixture, temporaryDirectoryOfTest } from '../../test/runtimes.js';
import { openCompiledCache } from './compiled-cache.js';

const KEY = 'a'.repeat(64);
const FILES = new Map([
  ['component.js', new TextEncoder().encode('export function instantiate() {}')],
  ['component.core.wasm', Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])],
  ['component.core2.wasm', new Uint8Array()],
]);
const plain = (files: ReadonlyMap<string, Uint8Array> | null) =>
  files === null ? null : [...files].map(([name, bytes]) => [name, Buffer.from(bytes).toString('hex')]);

async function storedEntry() {
  const root = join(temporaryDirectoryOfTest(), 'cache');
  const cache = openCompiledCache(root);
  await cache.store(KEY, FILES);
  return { root, cache, directory: cache.directoryOf(KEY) };
}

describe('the cache', () => {
  it('gives back what was stored, in private files', async () => {
    const { root, cache, directory } = await storedEntry();
    expect(plain(await cache.load(KEY))).toEqual(plain(FILES));
    for (const path of [root, join(root, 'compiled'), join(root, 'scratch'), directory]) {
      expect(statSync(path).mode & 0o777).toBe(0o700);
    }
    for (const name of readdirSync(directory))
      expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, 'secret', 'key')).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(root, 'scratch'))).toEqual([]);
  });

  it('is private under any umask', async () => {
    const before = process.umask(0);
    try {
      const { directory } = await storedEntry();
      expect(statSync(directory).mode & 0o777).toBe(0o700);
    } finally {
      process.umask(before);
    }
  });

  it('has nothing under a key that was not stored', async () => {
    const { cache } = await storedEntry();
    expect(await cache.load('b'.repeat(64))).toBeNull();
  });

  it.each<[string, (directory: string) => void]>([
    ['an edited file', (d) => writeFileSync(join(d, 'component.js'), 'export function instantiate() {};')],
    [
      'a file edited at equal length',
      (d) => writeFileSync(join(d, 'component.js'), 'export function instantiate() {?'),
    ],
    ['a truncated file', (d) => truncateSync(join(d, 'component.core.wasm'), 4)],
    ['a grown file', (d) => writeFileSync(join(d, 'component.core2.wasm'), 'x')],
    ['a missing file', (d) => rmSync(join(d, 'component.core.wasm'))],
    ['a missing manifest', (d) => rmSync(join(d, 'manifest.json'))],
    ['a manifest that is no JSON', (d) => writeFileSync(join(d, 'manifest.json'), '{')],
    ['an empty manifest', (d) => writeFileSync(join(d, 'manifest.json'), '')],
    ['a manifest without a code', (d) => editManifest(d, ({ files }) => ({ files }))],
    [
      'a manifest with fewer files',
      (d) => editManifest(d, ({ files, mac }) => ({ files: files.slice(1), mac })),
    ],
    [
      'a manifest that names a file elsewhere',
      (d) => editManifest(d, ({ files, mac }) => ({ files: [{ ...files[0], name: '../x' }], mac })),
    ],
    [
      'a link in place of a file',
      (d) => {
        renameSync(join(d, 'component.js'), join(d, '..', 'moved.js'));
        symlinkSync('../moved.js', join(d, 'component.js'));
      },
    ],
    [
      'a link in place of the entry',
      (d) => {
        renameSync(d, `${d}-moved`);
        symlinkSync(`${d}-moved`, d);
      },
    ],
  ])('takes %s for no entry, and replaces it', async (_, spoil) => {
    const { cache, directory } = await storedEntry();
    spoil(directory);
    expect(await cache.load(KEY)).toBeNull();
    await cache.store(KEY, FILES);
    expect(plain(await cache.load(KEY))).toEqual(plain(FILES));
  });

  it('takes no entry that another cache made, whole as it is', async () => {
    const [mine, foreign] = [await storedEntry(), await storedEntry()];
    rmSync(mine.directory, { recursive: true });
    cpSync(foreign.directory, mine.directory, { recursive: true });
    expect(await mine.cache.load(KEY)).toBeNull();
  });

  it('takes no sound entry under the key of another component', async () => {
    const { cache, directory } = await storedEntry();
    const other = 'c'.repeat(64);
    cpSync(directory, cache.directoryOf(other), { recursive: true });
    expect(await cache.load(other)).toBeNull();
  });

  it('refuses a directory that other accounts can write to', async () => {
    const { root, cache } = await storedEntry();
    chmodSync(join(root, 'compiled'), 0o777);
    await expect(cache.load(KEY)).rejects.toMatchObject({ condition: { code: 'E-IO-003' } });
  });

  it('makes a new secret where it was lost, and forgets the entries made under the old one', async () => {
    const { root, cache } = await storedEntry();
    const secret = join(root, 'secret');
    const lose = () => rmSync(secret, { recursive: true });
    const spoils = [
      lose,
      () => truncateSync(join(secret, 'key'), 3),
      () => renameSync(join(secret, 'key'), join(secret, 'other')),
      () => {
        lose();
        writeFileSync(secret, 'x'.repeat(32));
      },
      () => {
        lose();
        symlinkSync('compiled', secret);
      },
    ];
    for (const spoil of spoils) {
      spoil();
      expect(await cache.load(KEY)).toBeNull();
      await cache.store(KEY, FILES);
      expect(await cache.load(KEY)).not.toBeNull();
    }
  });

  it('lets many writers store one entry at once', async () => {
    const root = join(temporaryDirectoryOfTest(), 'cache');
    const caches = Array.from({ length: 12 }, () => openCompiledCache(root));
    await Promise.all(caches.map((cache) => cache.store(KEY, FILES)));
    for (const cache of caches) expect(plain(await cache.load(KEY))).toEqual(plain(FILES));
    expect(readdirSync(join(root, 'scratch'))).toEqual([]);
    expect(readdirSync(join(root, 'compiled'))).toEqual([KEY]);
  });

  it('stores although somebody sweeps its work meanwhile', async () => {
    const { root, cache } = await storedEntry();
    const other = 'd'.repeat(64);
    const storing = cache.store(other, FILES);
    let swept = 0;
    let stored = false;
    void storing.then(() => {
      stored = true;
    });
    while (swept === 0 && !stored) {
      await new Promise((resolve) => setImmediate(resolve));
      for (const name of readdirSync(join(root, 'scratch'))) {
        rmSync(join(root, 'scratch', name), { recursive: true });
        swept += 1;
      }
    }
    await storing;
    expect(swept).toBe(1);
    expect(plain(await cache.load(other))).toEqual(plain(FILES));
  });

  it('sweeps what dead writers left and leaves a living one its work', async () => {
    const { root } = await storedEntry();
    const dead = await deadProcessId();
    const names = [`${dead}-0123456789abcdef`, `${process.pid}-0123456789abcdef`, 'junk'];
    for (const name of names) mkdirSync(join(root, 'scratch', name));
    await openCompiledCache(root).load(KEY);
    expect(readdirSync(join(root, 'scratch'))).toEqual([`${process.pid}-0123456789abcdef`]);
  });
});

interface ManifestText {
  readonly files: readonly { readonly name: string }[];
  readonly mac: string;
}

function editManifest(directory: string, edit: (manifest: ManifestText) => object): void {
  const path = join(directory, 'manifest.json');
  writeFileSync(path, JSON.stringify(edit(JSON.parse(readFileSync(path, 'utf8')) as ManifestText)));
}

async function deadProcessId(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '0']);
  await once(child, 'exit');
  return child.pid ?? 0;
}

describe('a writer killed at work', () => {
  /** Kills the writer when it began its entry number `round`, after as many turns of the event loop as `turns`. */
  async function killedWriter(root: string, round: number, turns: number): Promise<void> {
    const child = spawn(process.execPath, [fixture('store-forever.mjs'), root], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface({ input: child.stdout })) if (Number(line) >= round) break;
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }

  it('leaves whole entries or none, and nothing behind once the next one came', async () => {
    const root = join(temporaryDirectoryOfTest(), 'cache');
    let unfinished = 0;
    for (let kill = 0; kill < 25; kill += 1) {
      rmSync(root, { recursive: true, force: true });
      await killedWriter(root, kill % 3, (kill * 977) % 8_000);
      unfinished += existsSync(join(root, 'scratch')) ? readdirSync(join(root, 'scratch')).length : 0;
      const cache = openCompiledCache(root);
      await cache.load(KEY);
      for (const key of readdirSync(join(root, 'compiled'))) expect((await cache.load(key))?.size).toBe(8);
      await cache.store(KEY, FILES);
      expect(readdirSync(join(root, 'scratch'))).toEqual([]);
      expect(readdirSync(root).sort()).toEqual(['compiled', 'notes', 'scratch', 'secret']);
    }
    // Otherwise the kills came between two entries and prove nothing.
    expect(unfinished).toBeGreaterThan(3);
  });
});
