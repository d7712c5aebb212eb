import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildGuest, exitStatus, launchRequest, PROCESS } from '../test/guests.js';
import {
  failureOf,
  fixture,
  nothingGranted,
  openAdvisoryJail,
  runtimeIn,
  startForTest,
  temporaryDirectory,
} from '../test/runtimes.js';
import { ComponentFailure, GuestRefusal } from './failures.js';
import type { Guest, PreparedComponent } from './types.js';

const SMALL = { memoryBytes: 32 * 1024 * 1024 };
const seconds30 = { deadlineMs: 30_000 };
const cacheDirectory = temporaryDirectory();
let component: PreparedComponent;

beforeAll(async () => {
  const bytes = await buildGuest({ wasi: false });
  component = await runtimeIn(cacheDirectory).prepare(bytes, { ...nothingGranted, limits: SMALL });
});
afterAll(() => rmSync(cacheDirectory, { recursive: true, force: true }));

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a guest', () => {
  const start = () => startForTest(runtimeIn(cacheDirectory), component);
  const parse = (guest: Guest, line: string, deadlineMs = 30_000) =>
    guest.call(PROCESS, 'parse', [[line]], { deadlineMs });

  it('answers in jco shapes, 64-bit integers and bytes included', async () => {
    const guest = await start();
    expect(await guest.call(PROCESS, 'describe', [], seconds30)).toMatchObject({
      harness: 'test',
      interrupt: 'signal-int',
      loginCheck: { tag: 'unavailable', val: 'no' },
      harnessNeeds: { paths: [{ path: '~/.test', access: 'read-write' }], hosts: [] },
    });
    expect(await guest.call(PROCESS, 'launch', [launchRequest], seconds30)).toEqual({
      args: ['task', 'no model'],
      envSet: [['A', 'b']],
      files: [],
      stdin: Uint8Array.from([0, 127, 255]),
      keepStdinOpen: false,
    });
    expect(await parse(guest, 'abc')).toEqual([
      { tag: 'usage', val: { input: 9007199254740991n, output: 3n, thinking: 0n } },
    ]);
  });

  it('keeps its state between calls and takes them one after the other', async () => {
    const guest = await start();
    const calls = [1, 2, 3].map(() => guest.call(PROCESS, 'classify-exit', [exitStatus], seconds30));
    const texts = (await Promise.all(calls)).map((event) => (event as { val: string }).val);
    expect(texts).toEqual(['1:3:null', '2:3:null', '3:3:null']);
  });

  it('lives on after a refusal', async () => {
    const guest = await start();
    const refused = guest.call(PROCESS, 'launch', [{ ...launchRequest, task: 'refuse' }], seconds30);
    await expect(refused).rejects.toBeInstanceOf(GuestRefusal);
    await expect(refused).rejects.toMatchObject({ payload: 'no: prompt' });
    expect(await parse(guest, 'abc')).toHaveLength(1);
  });

  it.each([
    ['throws', 'throw', 'trap'],
    ['answers with the wrong type', 'junk', 'trap'],
    ['recurses without end', 'recurse', 'trap'],
    ['takes all memory', 'balloon', 'out-of-memory'],
  ])('that %s traps, and is gone with its process', async (_, line, kind) => {
    const guest = await start();
    const failure = await failureOf(parse(guest, line));
    expect(failure.kind).toBe(kind);
    expect(failure.detail).toMatch(/^parse: /);
    expect(isRunning(guest.pid)).toBe(false);
    expect(await failureOf(parse(guest, 'abc'))).toMatchObject({ kind: 'exited' });
  });

  it('that loops is killed at its deadline, and so is what waits behind it', async () => {
    const guest = await start();
    const [first, second] = await Promise.all([
      failureOf(parse(guest, 'loop', 300)),
      failureOf(parse(guest, 'abc')),
    ]);
    expect(first).toEqual({ kind: 'deadline', detail: 'parse did not finish within 300 ms' });
    expect(second.kind).toBe('exited');
    expect(isRunning(guest.pid)).toBe(false);
  });

  it('gets a fresh deadline for each call', async () => {
    const guest = await start();
    for (let call = 0; call < 50; call += 1) await parse(guest, 'abc', 2_000);
  });

  it('has no function but the exported ones', async () => {
    const names: [string, string][] = [
      [PROCESS, 'toString'],
      ['toString', 'call'],
      ['murmur:driver/process@0.5.0', 'parse'],
    ];
    for (const [instance, func] of names) {
      const guest = await start();
      const failure = await failureOf(guest.call(instance, func, [], seconds30));
      expect(failure.detail).toContain('exports no function');
    }
  });

  it('refuses arguments above the ceiling without harm to the guest', async () => {
    const guest = await start();
    await expect(parse(guest, 'x'.repeat(64 * 1024 * 1024))).rejects.toBeInstanceOf(RangeError);
    expect(await parse(guest, 'abc')).toHaveLength(1);
  });

  it('can be killed in the middle of a call, twice', async () => {
    const guest = await start();
    const call = failureOf(parse(guest, 'loop'));
    await Promise.all([guest.kill(), guest.kill()]);
    expect((await call).kind).toBe('exited');
    expect(isRunning(guest.pid)).toBe(false);
  });
});

describe('a process that breaks the protocol', () => {
  const startHostile = (name: string, options = {}) =>
    startForTest(runtimeIn(cacheDirectory, { guestEntry: fixture(`guest-${name}.mjs`) }), component, options);
  const callOf = (guest: Guest, deadlineMs = 60_000) =>
    failureOf(guest.call(PROCESS, 'parse', [['abc']], { deadlineMs }));

  it.each([
    'answers-another-call',
    'is-ready-twice',
    'announces-too-much',
    'sends-no-json',
    'sends-a-bomb',
    'floods',
  ])('%s: is killed', async (name) => {
    const guest = await startHostile(name);
    const before = process.memoryUsage();
    const failure = await callOf(guest);
    expect(failure.kind).toBe('protocol');
    expect(isRunning(guest.pid)).toBe(false);
    expect(process.memoryUsage().heapUsed - before.heapUsed).toBeLessThan(300_000_000);
  });

  it('answers-unasked: cannot plant the answer of a later call', async () => {
    const guest = await startHostile('answers-unasked').catch((error: unknown) => error);
    const failure = guest instanceof ComponentFailure ? guest : await callOf(guest as Guest);
    expect(['protocol', 'exited']).toContain(failure.kind);
  });

  it('answers-twice: the second answer ends the guest before the next call', async () => {
    const guest = await startHostile('answers-twice');
    expect(await guest.call(PROCESS, 'parse', [['abc']], seconds30)).toBe('first');
    expect(await callOf(guest)).toMatchObject({
      kind: 'exited',
      detail: expect.stringContaining('without being asked'),
    });
  });

  it('floods-before-ready: does not start', async () => {
    expect(await failureOf(startHostile('floods-before-ready'))).toMatchObject({ kind: 'protocol' });
  });

  it('says-nothing: does not start in time', async () => {
    expect(await failureOf(startHostile('says-nothing', { startTimeoutMs: 300 }))).toEqual({
      kind: 'deadline',
      detail: 'instantiation did not finish within 300 ms',
    });
  });

  it('reads-nothing: is killed at the deadline', async () => {
    const guest = await startHostile('reads-nothing');
    const lines = [['x'.repeat(1_000_000)]];
    const call = guest.call(PROCESS, 'parse', lines, { deadlineMs: 300 });
    expect((await failureOf(call)).kind).toBe('deadline');
    expect(isRunning(guest.pid)).toBe(false);
  });

  it('closes-its-end: is ended', async () => {
    const guest = await startHostile('closes-its-end');
    expect((await callOf(guest)).kind).toBe('exited');
    expect(isRunning(guest.pid)).toBe(false);
  });

  it('floods-stderr: only the end is kept, without terminal controls', async () => {
    const { kind, detail } = await callOf(await startHostile('floods-stderr'));
    expect(kind).toBe('exited');
    expect(detail).toMatch(/^the guest process exited with 7: /);
    expect(detail.length).toBeLessThan(5_000);
    expect(detail).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
  });

  it('fills-its-heap: runs out of memory, not mur', async () => {
    expect((await callOf(await startHostile('fills-its-heap'))).kind).toBe('out-of-memory');
  });

  it('leaves-a-child: no descendant outlives the guest', async () => {
    const guest = await startHostile('leaves-a-child');
    const child = (await guest.call(PROCESS, 'parse', [['abc']], seconds30)) as number;
    expect(isRunning(child)).toBe(true);
    await guest.kill();
    expect(isRunning(child)).toBe(false);
  });
});

describe('what a guest process is given', () => {
  interface Seen {
    readonly env: Record<string, string>;
    readonly descriptors: readonly number[];
    readonly dataLimit: string;
    readonly flags: readonly string[];
  }
  const see = async (env?: Record<string, string>): Promise<Seen> => {
    const runtime = runtimeIn(cacheDirectory, { guestEntry: fixture('guest-tells-what-it-sees.mjs') });
    const guest = await startForTest(runtime, component, env === undefined ? {} : { env });
    return (await guest.call(PROCESS, 'parse', [[]], seconds30)) as Seen;
  };

  it('no variable of mur, only those it is started with', async () => {
    process.env.MURMUR_TEST_CANARY = 'leaked';
    try {
      expect((await see()).env).toEqual({});
      expect((await see({ LANG: 'C' })).env).toEqual({ LANG: 'C' });
    } finally {
      delete process.env.MURMUR_TEST_CANARY;
    }
  });

  it('its limits', async () => {
    const { dataLimit, flags } = await see();
    expect(dataLimit).toBe(String(SMALL.memoryBytes + 1280 * 1024 * 1024));
    expect(flags).toContain(`--wasm-max-mem-pages=${SMALL.memoryBytes / 65_536}`);
  });
});

it('a program that is no file fails to start and leaves nothing', async () => {
  const labels: string[] = [];
  const runtime = runtimeIn(cacheDirectory, {
    nodePath: '/nonexistent/node',
    openJail: (label) => {
      labels.push(label);
      return openAdvisoryJail(label);
    },
  });
  await expect(runtime.start(component, { label: 'a\u001b[31mb' })).rejects.toThrow();
  expect(labels).toEqual(['guest:ab']);
});
