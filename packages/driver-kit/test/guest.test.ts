import { fileURLToPath } from 'node:url';
import type { DriverInstance } from '@murmur/process-driver';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildComponent } from '../src/build-component.js';
import { type CheckedDriver, checkDriver } from '../src/check-driver.js';

/* What the SDK promises about the engine inside a component, tried in one. */

let driver: CheckedDriver;
let instance: DriverInstance;

const request = {
  model: null,
  systemPrompt: 'Grüße\n',
  config: null,
  bridge: null,
  session: { id: 'session-1', mode: 'new' as const },
  harnessVersion: null,
  task: 'tâche 😀',
};

beforeAll(async () => {
  driver = await checkDriver({
    name: 'probe',
    version: '1.0.0',
    bytes: await buildComponent({
      entry: fileURLToPath(new URL('./fixtures/probe-driver.ts', import.meta.url)),
    }),
  });
  instance = await driver.openInstance();
});
afterAll(async () => {
  await instance?.[Symbol.asyncDispose]();
  await driver?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await instance.launch(request);
});

const parse = async (line: string) => {
  const [event] = await instance.parse([line]);
  return event;
};

test('options arrive as undefined, text and bytes cross unharmed', async () => {
  const plan = await instance.launch(request);
  expect(plan.args).toEqual(['undefined', 'undefined', request.task]);
  expect(plan.files).toEqual([{ name: 'f', contents: request.systemPrompt }]);
  expect(Buffer.from(plan.stdin ?? []).toString('utf8')).toBe(request.task);
  expect(plan.interruptStdin).toHaveLength(0);
});

test('UTF-8 helpers work without the web platform', async () => {
  expect(await parse('utf8 é😀\u0000x')).toEqual({ tag: 'text-delta', text: 'é😀\u0000x' });
});

test('nesting that would overflow the stack is unread instead', async () => {
  expect(await parse(`json ${'['.repeat(128)}${']'.repeat(128)}`)).toEqual({ tag: 'note', text: 'read' });
  expect(await parse(`json ${'['.repeat(1 << 20)}`)).toEqual({ tag: 'note', text: 'unread' });
  expect(await parse(`json ${'{"a":'.repeat(1 << 16)}`)).toEqual({ tag: 'note', text: 'unread' });
});

test('a lone surrogate does not trap', async () => {
  expect(await parse('lone')).toEqual({ tag: 'note', text: 'a\ufffdb' });
});

test('counts above 32 bits cross exactly, and saturate where no exact number is left', async () => {
  expect(await instance.parse(['counts'])).toEqual([
    { tag: 'usage', usage: { input: Number.MAX_SAFE_INTEGER, output: Number.MAX_SAFE_INTEGER, thinking: 0 } },
    { tag: 'tool-call-progress', id: 'c', inputBytes: 5_000_000_000 },
  ]);
});

test.each(['clock', 'new-date', 'random'])(
  '%s: an exception that names the mistake, where a trap or a frozen value would be',
  async (probe) => {
    expect(await parse(probe)).toMatchObject({
      tag: 'note',
      text: expect.stringContaining('does not exist for a driver'),
    });
    expect(await parse('old-date')).toEqual({ tag: 'note', text: '1970-01-01T00:00:00.000Z' });
  },
);

test('an exception on a line becomes a note; the instance and its state live on', async () => {
  expect(await instance.parse(['unknown', 'end'])).toEqual([
    { tag: 'note', text: expect.stringContaining('no such probe: unknown') },
    { tag: 'turn-end', result: '2' },
  ]);
});
