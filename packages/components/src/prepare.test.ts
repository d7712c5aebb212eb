import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  component,
  componentLifting,
  coreModule,
  list,
  name,
  section,
  unsigned,
} from '../test/binary-builder.js';
import { buildGuest, exitStatus, PROCESS } from '../test/guests.js';
import {
  builtPrograms,
  failureOf,
  fixture,
  nothingGranted,
  openAdvisoryJail,
  runtimeIn,
  startForTest,
  temporaryDirectory,
  temporaryDirectoryOfTest,
} from '../test/runtimes.js';
import { toolchain } from './toolchain.js';
import { transpile } from './transpile.js';
import type { ComponentRuntimeOptions } from './types.js';

const INJECTION = "run'];globalThis.PWNED='executed';//";
const seconds30 = { deadlineMs: 30_000 };
const cacheDirectory = temporaryDirectory();
let plain: Uint8Array;
let wasi: Uint8Array;

beforeAll(async () => {
  plain = await buildGuest({ wasi: false });
  wasi = await buildGuest({ wasi: true });
});
afterAll(() => rmSync(cacheDirectory, { recursive: true, force: true }));

/** A runtime over a fresh cache that counts the jails it opens. */
function freshRuntime(options: Partial<ComponentRuntimeOptions> = {}) {
  const labels: string[] = [];
  const root = join(temporaryDirectoryOfTest(), 'cache');
  const openJail = (label: string) => {
    labels.push(label);
    return openAdvisoryJail(label);
  };
  return { root, labels, runtime: runtimeIn(root, { openJail, ...options }) };
}

const importing = (text: string) => component(section(10, list([[0x00, ...name(text), 0x05, 0]])));

describe('prepare', () => {
  it('transpiles once and finds the compiled form afterwards', async () => {
    const { root, labels, runtime } = freshRuntime();
    const first = await runtime.prepare(plain, nothingGranted);
    const second = await runtime.prepare(plain, nothingGranted);
    expect([first.fromCache, second.fromCache]).toEqual([false, true]);
    expect(second).toEqual({ ...first, fromCache: true });
    expect(labels).toEqual(['transpile']);
    expect(readdirSync(join(root, 'compiled'))).toHaveLength(1);
    expect(first.names.exports).toContain(PROCESS);
  });

  it('gives other limits a compiled form of their own', async () => {
    const { runtime } = freshRuntime();
    const first = await runtime.prepare(plain, nothingGranted);
    const second = await runtime.prepare(plain, {
      ...nothingGranted,
      limits: { memoryBytes: 64 * 1024 * 1024 },
    });
    expect(second.fromCache).toBe(false);
    expect(second.directory).not.toBe(first.directory);
  });

  it('transpiles once for callers that come at the same time', async () => {
    const { labels, runtime } = freshRuntime();
    const prepared = await Promise.all([1, 2, 3].map(() => runtime.prepare(plain, nothingGranted)));
    expect(labels).toEqual(['transpile']);
    expect(prepared.filter(({ fromCache }) => fromCache)).toHaveLength(2);
  });

  it('lets processes prepare the same component at once', async () => {
    const { root } = freshRuntime();
    const path = join(temporaryDirectoryOfTest(), 'guest.wasm');
    writeFileSync(path, plain);
    const children = [1, 2].map(() =>
      spawn(process.execPath, [fixture('prepare-once.mjs'), root, path], { stdio: 'inherit' }),
    );
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0] as unknown));
    expect(codes).toEqual([0, 0]);
    expect((await runtimeIn(root).prepare(plain, nothingGranted)).fromCache).toBe(true);
  });

  it('makes a spoilt compiled form again, and start refuses one spoilt since', async () => {
    const { labels, runtime } = freshRuntime();
    const prepared = await runtime.prepare(plain, nothingGranted);
    const glue = join(prepared.directory, 'component.js');
    const sound = readFileSync(glue, 'utf8');
    writeFileSync(glue, `throw new Error('executed');${sound}`);
    expect(await failureOf(runtime.start(prepared, { label: 'test' }))).toMatchObject({ kind: 'invalid' });
    expect((await runtime.prepare(plain, nothingGranted)).fromCache).toBe(false);
    expect(readFileSync(glue, 'utf8')).toBe(sound);
    expect(labels.filter((label) => label === 'transpile')).toHaveLength(2);
  });

  it.each<[string, () => Uint8Array, string, string]>([
    ['a core module', () => coreModule(), 'not-a-component', 'core WebAssembly module'],
    [
      'component text',
      () => new TextEncoder().encode('(component)'),
      'not-a-component',
      'not a WebAssembly component',
    ],
    ['nothing', () => new Uint8Array(), 'not-a-component', 'not a WebAssembly component'],
    [
      'an import without a grant',
      () => importing('murmur:tool/run@0.1.0'),
      'import-not-granted',
      'murmur:tool/run@0.1.0, which is not granted',
    ],
    ['an import that names itself like code', () => importing(INJECTION), 'import-not-granted', INJECTION],
    ['a name that could run', () => componentLifting(INJECTION), 'unsafe-name', 'could run as code'],
    [
      'a component larger than the ceiling',
      () => new Uint8Array(48 * 1024 * 1024 + 1),
      'invalid',
      'larger than',
    ],
  ])('refuses %s before any child is started', async (_, bytes, kind, detail) => {
    const { labels, runtime } = freshRuntime();
    const failure = await failureOf(runtime.prepare(bytes(), nothingGranted));
    expect(failure.kind).toBe(kind);
    expect(failure.detail).toContain(detail);
    expect(labels).toEqual([]);
  });

  it('refuses imports by this grant although the compiled form is in the cache', async () => {
    const { runtime } = freshRuntime();
    await runtime.prepare(wasi, { allowImports: (text) => text.startsWith('wasi:') });
    expect(await failureOf(runtime.prepare(wasi, nothingGranted))).toMatchObject({
      kind: 'import-not-granted',
      detail: expect.stringContaining('wasi:cli/environment@0.2.12'),
    });
  });

  it.each([
    'wasi:cli/environment@0.3.0',
    'wasi:keyvalue/store@0.2.0',
    'wasi:cli/environment',
    'other:a/b@0.2.0',
  ])('names %s as an import nothing provides, granted or not', async (text) => {
    const { runtime } = freshRuntime();
    expect(await failureOf(runtime.prepare(importing(text), { allowImports: () => true }))).toEqual({
      kind: 'import-not-granted',
      detail: `the component imports ${text}, which nothing here provides`,
    });
  });

  it('passes on what the transpiler has against a component', async () => {
    const { root, runtime } = freshRuntime();
    const failure = await failureOf(
      runtime.prepare(component(section(11, list([[0x00, ...name('a'), 0x01, 7, 0]]))), nothingGranted),
    );
    expect(failure.kind).toBe('invalid');
    expect(failure.detail).toContain('function');
    expect(readdirSync(join(root, 'compiled'))).toEqual([]);
  });

  it('refuses memories it cannot cap', async () => {
    const { runtime } = freshRuntime();
    const withMemory = (limits: number[]) =>
      component(section(1, [...coreModule(section(5, list([limits])))]), section(2, list([[0x00, 0, 0]])));
    const large = withMemory([0, ...unsigned(8_193)]);
    expect(await failureOf(runtime.prepare(large, nothingGranted))).toMatchObject({ kind: 'memory' });
  });
});

describe('the name check stops code that would run', () => {
  it('the transpiler does paste the name into its output', async () => {
    const files = await transpile(componentLifting(INJECTION), {
      openJail: openAdvisoryJail,
      nodePath: process.execPath,
      entry: builtPrograms.transpileEntry,
      timeoutMs: 60_000,
    });
    const glue = Buffer.from(files.get('component.js') ?? []).toString('utf8');
    expect(glue).toContain(`exports0['${INJECTION}`);
  });
});

describe('a transpiler that fails', () => {
  const prepareWith = (name: string, timeoutMs = 60_000) => {
    const { runtime, root } = freshRuntime({ transpileEntry: fixture(`transpiler-${name}.mjs`) });
    return { root, failure: failureOf(runtime.prepare(plain, { ...nothingGranted, timeoutMs })) };
  };

  it.each([
    ['hangs', 'transpile-timeout', 300],
    ['crashes', 'transpile-crash', 60_000],
    ['makes-nothing', 'transpile-crash', 60_000],
    ['writes-elsewhere', 'protocol', 60_000],
    ['floods', 'invalid', 60_000],
  ])('%s: %s, and nothing is stored', async (name, kind, timeoutMs) => {
    const { root, failure } = prepareWith(name, timeoutMs);
    expect((await failure).kind).toBe(kind);
    expect(readdirSync(join(root, 'compiled'))).toEqual([]);
    expect(readdirSync(join(root, 'scratch'))).toEqual([]);
  });

  it('says how it ended and what it printed, without terminal controls', async () => {
    const { detail } = await prepareWith('crashes').failure;
    expect(detail).toContain('thread panicked at lib.rs');
    expect(detail).toContain('signal 6');
  });
});

describe('the empty host', () => {
  it('runs a component that imports WASI, and gives it nothing', async () => {
    const runtime = runtimeIn(cacheDirectory);
    const prepared = await runtime.prepare(wasi, { allowImports: (text) => text.startsWith('wasi:') });
    const guest = await startForTest(runtime, prepared, { env: { CANARY: 'set' } });
    expect(await guest.call(PROCESS, 'classify-exit', [exitStatus], seconds30)).toEqual({
      tag: 'turn-end',
      val: '1:3:null',
    });
  });

  it('adds what the guest printed to the failure', async () => {
    const runtime = runtimeIn(cacheDirectory);
    const prepared = await runtime.prepare(wasi, { allowImports: (text) => text.startsWith('wasi:') });
    const guest = await startForTest(runtime, prepared);
    const { kind, detail } = await failureOf(guest.call(PROCESS, 'parse', [['throw']], seconds30));
    expect(kind).toBe('trap');
    expect(detail).toContain('thrown by the guest');
  });
});

it('the version in the cache key is the installed transpiler', () => {
  const require = createRequire(import.meta.url);
  const entry = require.resolve('@bytecodealliance/jco-transpile/component');
  const manifest = readFileSync(join(entry, '..', '..', 'package.json'), 'utf8');
  expect((JSON.parse(manifest) as { version: string }).version).toBe(toolchain.transpiler);
});
