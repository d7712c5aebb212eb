import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Beneath, openBeneath } from '@murmur/beneath';
import { openJail } from '@murmur/containment';
import { MurmurError } from '@murmur/errors';
import { checkHarnessLogin, type HarnessVersion, probeHarnessVersion } from '@murmur/process-driver';
import { afterAll, describe, expect, test } from 'vitest';
import { createFakeClock, type FakeClock } from './support/fake-clock.js';
import { close, driver, fakeAgent, isAlive, type Step, scratch } from './support/host.js';

afterAll(close);
const clock = createFakeClock();
let count = 0;

/** A harness of its own: a link to the fake agent with the steps of its answer beside it. */
function agent(answer: readonly Step[]): string {
  count += 1;
  const path = join(scratch, `agent-${count}`);
  symlinkSync(fakeAgent, path);
  writeFileSync(`${path}.version.json`, JSON.stringify(answer));
  writeFileSync(`${path}.script.json`, JSON.stringify(answer));
  return path;
}

async function context(path: string, at: FakeClock = clock) {
  return {
    binary: { path, source: 'inference.command' as const },
    description: (await driver()).description,
    env: { PATH: process.env.PATH ?? '' },
    cwd: scratch,
    clock: at,
  };
}

async function probe(
  path: string,
  cache: Beneath | null = null,
  at: FakeClock = clock,
  whileJailIsOpen: () => void = () => undefined,
): Promise<HarnessVersion> {
  const jail = await openJail({ class: 'advisory', label: 'harness' });
  try {
    const version = await probeHarnessVersion({ ...(await context(path, at)), jail, cache });
    whileJailIsOpen();
    return version;
  } finally {
    await jail[Symbol.asyncDispose]();
  }
}

describe('the version', () => {
  test.each<[string, readonly Step[], string | null, boolean]>([
    ['as one word', [{ print: '1.0.0' }], '1.0.0', true],
    ['among words', [{ print: 'fake-agent 1.0.0 (build 5)' }], 'fake-agent 1.0.0 (build 5)', true],
    ['with a v', [{ print: 'v1.0.0' }], 'v1.0.0', true],
    ['with two', [{ print: 'vv1.0.0' }], 'vv1.0.0', false],
    ['as a part of a word', [{ print: 'fake/1.0.0' }], 'fake/1.0.0', false],
    ['of another release', [{ print: '1.0.01' }], '1.0.01', false],
    ['after blank lines, untrimmed', [{ print: ['', '  ', '  1.0.0\t', 'more'] }], '1.0.0', true],
    ['on stderr', [{ print: '' }, { stderr: 'agent 1.0.0\n' }], 'agent 1.0.0', true],
    ['on both: stdout wins', [{ stderr: '9.9\n' }, { print: '1.0.0' }], '1.0.0', true],
    ['with control characters', [{ print: '\u001b[1m1.0.0\u001b[0m' }], '1.0.0', true],
  ])('%s', async (_name, answer, line, tested) => {
    const version = await probe(agent(answer));
    expect(version).toMatchObject({ line, tested });
    expect(version.warning === null).toBe(tested);
  });

  test.each<[string, readonly Step[], RegExp]>([
    ['it exits non-zero', [{ print: '1.0.0' }, { exit: 3 }], /exited non-zero/],
    ['it dies of a signal', [{ print: '1.0.0' }, { kill_self: 'SIGKILL' }], /exited non-zero/],
    ['it prints nothing', [{ print: ['', ' '] }], /printed nothing/],
  ])('is unreadable when %s; that is a warning, never a refusal', async (_name, answer, detail) => {
    expect(await probe(agent(answer))).toEqual({
      line: null,
      tested: false,
      warning: {
        code: 'W-RUN-002',
        harness: 'fake',
        detail: expect.stringMatching(detail),
        tested: ['1.0.0'],
      },
    });
  });

  test('is unreadable when the program cannot be run', async () => {
    const version = await probe(join(scratch, 'no-such-agent'));
    expect(version).toMatchObject({
      line: null,
      warning: { detail: expect.stringContaining('could not be run') },
    });
  });

  test('is unreadable when no program can be asked the driver’s question', async () => {
    await using jail = await openJail({ class: 'advisory', label: 'harness' });
    const asked = await context(fakeAgent);
    const description = { ...asked.description, versionArgs: Array<string>(5000).fill('x') };
    expect(await probeHarnessVersion({ ...asked, description, jail, cache: null })).toMatchObject({
      line: null,
      warning: { detail: expect.stringContaining('could not be run: more than 4095 arguments') },
    });
  });

  test('is unreadable after 10 s; the harness and what it started are killed', async () => {
    const at = createFakeClock();
    const pidFile = join(scratch, 'version-pid');
    const snapshot = join(scratch, 'version-snapshot.json');
    const fork = { fork: { pid_file: pidFile, double: true, ignore_signals: true, hold_output: true } };
    const dead = (): void => {
      expect(isAlive(Number(readFileSync(pidFile, 'utf8')))).toBe(false);
      expect(isAlive(JSON.parse(readFileSync(snapshot, 'utf8')).pid)).toBe(false);
    };
    const pending = probe(agent([{ snapshot }, fork, { print: '1.0.0' }, { hang: true }]), null, at, dead);
    await at.whenTimer(10_000);
    while (!existsSync(pidFile)) await new Promise((resolve) => setImmediate(resolve));
    at.advance(10_000);
    expect(await pending).toMatchObject({
      line: null,
      warning: { detail: expect.stringContaining('within 10s') },
    });
  });

  test('is asked with the base environment, no stdin, in the working directory', async () => {
    const snapshot = join(scratch, 'asked.json');
    process.env.MURMUR_CANARY = 'x';
    await probe(agent([{ snapshot }, { read_all: true }, { print: '1.0.0' }]));
    delete process.env.MURMUR_CANARY;
    const seen = JSON.parse(readFileSync(snapshot, 'utf8')) as { env: unknown; cwd: string; argv: string[] };
    expect(seen.env).toEqual({ PATH: process.env.PATH });
    expect(seen.cwd).toBe(scratch);
    expect(seen.argv.at(-1)).toBe('--version');
  });

  describe('is remembered', () => {
    const counting = (name: string): { path: string; cacheDirectory: string; asked: () => number } => {
      const cacheDirectory = join(scratch, `cache-${name}`);
      const path = join(scratch, `counting-${name}`);
      const log = join(scratch, `asked-${name}`);
      writeFileSync(path, `#!/bin/sh\necho asked >> ${log}\necho 1.0.0\n`, { mode: 0o755 });
      return {
        path,
        cacheDirectory,
        asked: () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').length - 1 : 0),
      };
    };
    const withCache = async (directory: string, work: (cache: Beneath) => Promise<void>): Promise<void> => {
      const cache = await openBeneath(directory, { create: true, mode: 0o700 });
      await work(cache);
      await cache[Symbol.asyncDispose]();
    };

    test('for as long as the binary is the same file', async () => {
      const { path, cacheDirectory, asked } = counting('same');
      await withCache(cacheDirectory, async (cache) => {
        for (let i = 0; i < 3; i++)
          expect(await probe(path, cache)).toMatchObject({ line: '1.0.0', tested: true });
        expect(asked()).toBe(1);
        const [file = ''] = readdirSync(cacheDirectory);
        expect(statSync(join(cacheDirectory, file)).mode & 0o777).toBe(0o600);

        // A newer file of the same size with its old time put back: the change time tells.
        const { atime, mtime } = statSync(path);
        copyFileSync(path, `${path}.new`);
        writeFileSync(path, readFileSync(`${path}.new`));
        utimesSync(path, atime, mtime);
        await probe(path, cache);
        expect(asked()).toBe(2);
        expect(readdirSync(cacheDirectory)).toHaveLength(1);
      });
    });

    test('never wrongly: a damaged or foreign memory is no memory', async () => {
      const { path, cacheDirectory, asked } = counting('damaged');
      await withCache(cacheDirectory, async (cache) => {
        await probe(path, cache);
        const file = join(cacheDirectory, readdirSync(cacheDirectory)[0] ?? '');
        const sound = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
        const damaged = [
          '',
          '{',
          'null',
          '[]',
          JSON.stringify({ ...sound, line: 7 }),
          JSON.stringify({ ...sound, line: '' }),
          JSON.stringify({ ...sound, type: 'x' }),
          JSON.stringify({ ...sound, identity: 'x' }),
        ];
        for (const [index, text] of damaged.entries()) {
          writeFileSync(file, text);
          expect(await probe(path, cache)).toMatchObject({ line: '1.0.0' });
          expect(asked()).toBe(index + 2);
        }
      });
    });

    test('not when nothing could be read, nor when the memory cannot be written', async () => {
      const { cacheDirectory } = counting('unread');
      await withCache(cacheDirectory, async (cache) => {
        await probe(agent([{ exit: 1 }]), cache);
        expect(readdirSync(cacheDirectory)).toEqual([]);
      });
      const blocked = counting('blocked');
      await withCache(blocked.cacheDirectory, async (cache) => {
        await probe(blocked.path, cache);
        const file = join(blocked.cacheDirectory, readdirSync(blocked.cacheDirectory)[0] ?? '');
        await cache.remove(readdirSync(blocked.cacheDirectory)[0] ?? '');
        mkdirSync(file);
        for (let i = 0; i < 2; i++) expect(await probe(blocked.path, cache)).toMatchObject({ line: '1.0.0' });
        expect(blocked.asked()).toBe(3);
      });
    });
  });
});

describe('the login', () => {
  async function login(answer: readonly Step[], variant = 'plain', at: FakeClock = clock) {
    const loaded = await driver(variant);
    const jail = await openJail({ class: 'advisory', label: 'harness' });
    try {
      return await checkHarnessLogin({
        ...(await context(agent(answer), at)),
        description: loaded.description,
        driver: loaded,
        jail,
      });
    } finally {
      await jail[Symbol.asyncDispose]();
    }
  }

  test.each<[string, readonly Step[], unknown]>([
    ['is there', [{ exit: 0 }], { tag: 'logged-in' }],
    ['is not', [{ exit: 1 }], { tag: 'logged-out', reason: 'sign in with `fake-agent login`' }],
    [
      'cannot be told from the exit code',
      [{ exit: 9 }],
      { tag: 'unknown', reason: expect.stringContaining('9') },
    ],
    [
      'cannot be told after a signal',
      [{ kill_self: 'SIGTERM' }],
      { tag: 'unknown', reason: expect.stringContaining('a signal') },
    ],
    [
      'makes the driver trap',
      [{ print: { driver: 'trap' } }],
      { tag: 'unknown', reason: expect.any(String) },
    ],
  ])('%s', async (_name, answer, state) => {
    expect(await login(answer)).toEqual(state);
  });

  test('is unknown when the driver does not start to read the answer', async () => {
    const loaded = await driver();
    await using jail = await openJail({ class: 'advisory', label: 'harness' });
    const failing = {
      ...loaded,
      openInstance: () =>
        Promise.reject(
          new MurmurError({
            variant: 'ProcessDriverCallFailed',
            name: 'fake',
            version: '1',
            call: 'launch',
            message: 'it trapped',
          }),
        ),
    };
    const asked = { ...(await context(agent([{ exit: 0 }]))), jail, driver: failing };
    expect(await checkHarnessLogin(asked)).toEqual({
      tag: 'unknown',
      reason: expect.stringContaining('it trapped'),
    });
  });

  test('cannot be asked about', async () => {
    expect(await login([], 'login-unavailable')).toEqual({
      tag: 'unavailable',
      reason: 'the fake harness knows no login',
    });
  });

  test('is unknown after 10 s', async () => {
    const at = createFakeClock();
    const pending = login([{ hang: true }], 'plain', at);
    await at.whenTimer(10_000);
    at.advance(10_000);
    expect(await pending).toEqual({ tag: 'unknown', reason: 'did not answer within 10s' });
  });

  test('reasons are one line of at most 200 characters without terminal control', async () => {
    const loaded = await driver();
    const instance = {
      ...(await loaded.openInstance()),
      readLogin: async () => ({ tag: 'unknown', reason: `\u001b[31m${'é'.repeat(300)}\nsecond` }) as const,
    };
    const jail = await openJail({ class: 'advisory', label: 'harness' });
    const report = await checkHarnessLogin({
      ...(await context(agent([]))),
      driver: { ...loaded, openInstance: async () => instance },
      jail,
    });
    await jail[Symbol.asyncDispose]();
    expect(report).toEqual({ tag: 'unknown', reason: 'é'.repeat(200) });
  });
});
