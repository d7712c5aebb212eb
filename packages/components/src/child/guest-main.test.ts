import { describe, expect, it } from 'vitest';
import { moduleExporting } from '../../test/binary-builder.js';
import { failureOf, runtimeIn, startForTest, temporaryDirectoryOfTest } from '../../test/runtimes.js';
import { openCompiledCache } from '../cache/compiled-cache.js';
import { effectiveLimits } from '../limits.js';

const seconds30 = { deadlineMs: 30_000 };

/** Starts the real guest program with glue written by hand, as a hostile component could have it. */
async function startGlue(functions: string, limits = {}) {
  const root = temporaryDirectoryOfTest();
  const cache = openCompiledCache(root);
  const key = '0'.repeat(64);
  const glue = `export function instantiate(getCoreModule, imports, instantiateCore) { return { it: { ${functions} } }; }`;
  await cache.store(
    key,
    new Map([
      ['component.js', new TextEncoder().encode(glue)],
      ['component.core.wasm', moduleExporting('f')],
    ]),
  );
  const prepared = {
    sha256: key,
    names: { kind: 'component', imports: [], exports: ['it'] },
    directory: cache.directoryOf(key),
    fromCache: true,
    limits: effectiveLimits(limits),
  } as const;
  return startForTest(runtimeIn(root), prepared);
}

async function callGlue(functions: string, ...args: unknown[]): Promise<unknown> {
  const guest = await startGlue(functions);
  return guest.call('it', 'probe', args, seconds30);
}

describe('the guest program', () => {
  it('passes values both ways unharmed', async () => {
    const values = [
      1n,
      -1,
      'text',
      new Uint8Array([1, 2]),
      [undefined, null],
      { a: Number.NaN },
      BigUint64Array.of(2n),
    ];
    expect(await callGlue('probe: (...values) => values', ...values)).toEqual(values);
  });

  it('maps the WIT name of a function to its JavaScript name', async () => {
    const guest = await startGlue('classifyExit2: () => 1');
    expect(await guest.call('it', 'classify-exit2', [], seconds30)).toBe(1);
  });

  it('hides what generated code has no use for', async () => {
    const names = ['process', 'fetch', 'WebSocket', 'navigator', 'require'];
    const seen = await callGlue('probe: (names) => names.map((name) => typeof globalThis[name])', names);
    expect(seen).toEqual(names.map(() => 'undefined'));
  });

  it('evaluates no text as code', async () => {
    expect(await failureOf(callGlue('probe: () => (0, eval)("1")'))).toMatchObject({ kind: 'trap' });
    expect(await failureOf(callGlue('probe: () => new Function("return 1")()'))).toMatchObject({
      kind: 'trap',
    });
  });

  it.each([
    ['an error', 'probe() { throw new TypeError("bad \\u001b[31mred") }', 'probe: bad red'],
    ['a text', 'probe() { throw "text" }', 'probe: text'],
    ['nothing', 'probe() { throw undefined }', 'probe: undefined'],
    [
      'an object with a payload that is no error',
      'probe() { throw { payload: 1 } }',
      'probe: [object Object]',
    ],
    [
      'an error that inherits its payload',
      'probe() { const e = Object.create(new Error("x"), {}); Object.setPrototypeOf(e, Object.assign(new Error("x"), { payload: 1 })); throw e }',
      'probe: x',
    ],
  ])('takes %s thrown by the glue for a trap', async (_, functions, detail) => {
    expect(await failureOf(callGlue(functions))).toEqual({ kind: 'trap', detail });
  });

  it.each([
    ['a function', 'probe: () => () => 1'],
    ['a value without an end', 'probe: () => { const a = []; a.push(a); return a; }'],
    ['an object that looks like a tag', 'probe: () => ({ $: 1 })'],
    ['more than a frame holds', 'probe: () => "x".repeat(70_000_000)'],
  ])('takes %s as an answer for a trap', async (_, functions) => {
    expect((await failureOf(callGlue(functions))).kind).toBe('trap');
  });

  it('takes the payload of a declared error for a refusal', async () => {
    const thrown = callGlue(
      'probe() { throw Object.assign(new Error("e"), { payload: { tag: "no", val: 1n } }) }',
    );
    await expect(thrown).rejects.toMatchObject({ name: 'GuestRefusal', payload: { tag: 'no', val: 1n } });
  });

  it('makes no more core instances than allowed', async () => {
    const loop =
      'made: (() => { for (let n = 0; n < 3; n += 1) instantiateCore(getCoreModule("component.core.wasm"), {}) })()';
    await startGlue(loop, { instances: 3 });
    expect(await failureOf(startGlue(loop, { instances: 2 }))).toEqual({
      kind: 'instantiate',
      detail: 'more than 2 core instances',
    });
  });

  it('fails to start when the glue does', async () => {
    expect(await failureOf(startGlue('x: missing'))).toEqual({
      kind: 'instantiate',
      detail: 'missing is not defined',
    });
    expect(await failureOf(startGlue(')'))).toMatchObject({ kind: 'instantiate' });
  });

  it('ends when mur is gone and when a call is over that the glue left running', async () => {
    const guest = await startGlue('probe: () => { setInterval(() => {}, 1e6); return 1; }');
    expect(await guest.call('it', 'probe', [], seconds30)).toBe(1);
    await guest.kill();
    expect(() => process.kill(guest.pid, 0)).toThrow('ESRCH');
  });
});
