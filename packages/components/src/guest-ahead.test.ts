import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Jail } from '@murmur/containment';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildGuest, PROCESS } from '../test/guests.js';
import {
  failureOf,
  nothingGranted,
  openAdvisoryJail,
  runtimeIn,
  startForTest,
  temporaryDirectory,
} from '../test/runtimes.js';
import type { PreparedComponent } from './types.js';

const cacheDirectory = temporaryDirectory();
let bytes: Uint8Array;
let component: PreparedComponent;

beforeAll(async () => {
  bytes = await buildGuest({ wasi: false });
  component = await runtimeIn(cacheDirectory).prepare(bytes, nothingGranted);
});
afterAll(() => rmSync(cacheDirectory, { recursive: true, force: true }));

/** A runtime that counts its jails. */
function counted() {
  const seen = { opened: 0, closed: 0 };
  const openJail = async (label: string): Promise<Jail> => {
    const jail = await openAdvisoryJail(label);
    seen.opened += 1;
    return {
      ...jail,
      async [Symbol.asyncDispose]() {
        await jail[Symbol.asyncDispose]();
        seen.closed += 1;
      },
    };
  };
  return { seen, runtime: runtimeIn(cacheDirectory, { openJail }) };
}

describe('a guest process started ahead', () => {
  it('runs the component of the next start with its label', async () => {
    const { seen, runtime } = counted();
    await using _ahead = runtime.startAhead('test');
    const guest = await startForTest(runtime, component);
    expect(seen.opened).toBe(1);
    expect(await guest.call(PROCESS, 'describe', [], { deadlineMs: 30_000 })).toMatchObject({
      harness: 'test',
    });
    await startForTest(runtime, component);
    expect(seen.opened).toBe(2);
  });

  it('outlives its handle once it was taken', async () => {
    const { runtime } = counted();
    const ahead = runtime.startAhead('test');
    const guest = await startForTest(runtime, component);
    await ahead[Symbol.asyncDispose]();
    expect(await guest.call(PROCESS, 'describe', [], { deadlineMs: 30_000 })).toMatchObject({
      harness: 'test',
    });
  });

  it.each([
    ['another label', { label: 'other' }],
    ['an environment', { env: { A: 'b' } }],
    ['less memory', { limits: { memoryBytes: 64 * 1024 * 1024 } }],
  ])('is not taken by a start with %s, and is killed with its handle', async (_what, options) => {
    const { seen, runtime } = counted();
    {
      await using _ahead = runtime.startAhead('test');
      await startForTest(runtime, component, options);
      expect(seen).toEqual({ opened: 2, closed: 0 });
    }
    expect(seen).toEqual({ opened: 2, closed: 1 });
  });

  it('is one at a time', async () => {
    const { seen, runtime } = counted();
    {
      await using _first = runtime.startAhead('test');
      await using _second = runtime.startAhead('test');
    }
    expect(seen).toEqual({ opened: 1, closed: 1 });
  });

  it('tells its failure to the one who takes it, and to nobody else', async () => {
    const openJail = () => Promise.reject(new Error('no jail here'));
    const runtime = runtimeIn(cacheDirectory, { openJail });
    {
      await using _unused = runtime.startAhead('test');
    }
    await using _ahead = runtime.startAhead('test');
    await expect(runtime.start(component, { label: 'test' })).rejects.toThrow('no jail here');
  });

  it('fails its start when it has ended meanwhile', async () => {
    const runtime = runtimeIn(cacheDirectory, { guestEntry: join(cacheDirectory, 'missing.js') });
    await using _ahead = runtime.startAhead('test');
    expect(await failureOf(runtime.start(component, { label: 'test' }))).toMatchObject({ kind: 'exited' });
  });
});

describe('a compiled form', () => {
  it('is read once for a check and the start that follows, and again for every further start', async () => {
    const runtime = runtimeIn(cacheDirectory);
    const prepared = await runtime.prepare(bytes, nothingGranted);
    expect(prepared.fromCache).toBe(true);
    writeFileSync(join(prepared.directory, 'component.js'), 'planted');
    const guest = await startForTest(runtime, prepared);
    expect(await guest.call(PROCESS, 'describe', [], { deadlineMs: 30_000 })).toMatchObject({
      harness: 'test',
    });
    expect(await failureOf(runtime.start(prepared, { label: 'test' }))).toMatchObject({ kind: 'invalid' });
  });
});
