import { fileURLToPath } from 'node:url';
import { buildComponent, type CheckedDriver, checkDriver } from '@murmur/driver-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { process as driver } from '../src/index.js';
import {
  asHostKeepsIt,
  bridge,
  exitOf,
  isTerminal,
  linesOf,
  plain,
  replay,
  requestOf,
  turnCases,
} from './replay.js';

let built: CheckedDriver;

beforeAll(async () => {
  built = await checkDriver({
    bytes: await buildComponent({ entry: fileURLToPath(new URL('../src/index.ts', import.meta.url)) }),
    name: 'murmur-driver-codex',
    version: '0.1.0',
  });
});
afterAll(() => built?.[Symbol.asyncDispose]());

test('the built component describes itself as the source does', () => {
  const { loginCheck, ...described } = driver.describe();
  expect(built.description).toMatchObject(described);
  expect(built.description.loginCheck).toEqual({
    tag: 'command',
    args: 'val' in loginCheck ? loginCheck.val : [],
  });
});

test('every recording gives the same events through the component as in plain JavaScript', async () => {
  const instance = await built.openInstance();
  try {
    for (const name of turnCases) {
      const request = requestOf(name);
      const plan = await instance.launch({
        ...request,
        model: null,
        config: null,
        harnessVersion: null,
        bridge: request.bridge ?? null,
      });
      expect(plan.args.join('\n'), name).not.toContain(bridge.bearerToken);
      const events = [...(await instance.parse(linesOf(name)))];
      if (!events.some(isTerminal)) {
        const exit = exitOf(name, false);
        events.push(
          await instance.classifyExit({ ...exit, code: exit.code ?? null, signal: exit.signal ?? null }),
        );
      }
      expect(plain(events), name).toEqual(plain(replay(driver, name).map(asHostKeepsIt)));
    }
  } finally {
    await instance[Symbol.asyncDispose]();
  }
});

test('hostile lines end as notes, and the instance lives on', async () => {
  const instance = await built.openInstance();
  try {
    await instance.launch({
      ...requestOf('plain'),
      model: null,
      config: null,
      harnessVersion: null,
      bridge: null,
    });
    const hostile = [
      '['.repeat(1 << 20),
      '{"a":'.repeat(1 << 16),
      `{"type":"error","message":"${'\\ud800'}"}`,
      'x'.repeat(1 << 22),
      '{"type":"item.completed","item":{"type":"agent_message","text":{}}}',
    ];
    expect((await instance.parse(hostile)).map((event) => event.tag)).toEqual([
      'note',
      'note',
      'note',
      'note',
      'note',
    ]);
    expect(await instance.parse(['{"type":"turn.completed"}'])).toEqual([{ tag: 'turn-end', result: '' }]);
  } finally {
    await instance[Symbol.asyncDispose]();
  }
});

test('a refusal reaches the runtime as text', async () => {
  const instance = await built.openInstance();
  try {
    const request = {
      ...requestOf('plain'),
      model: null,
      harnessVersion: null,
      bridge: null,
      config: '{"modle":1}',
    };
    await expect(instance.launch(request)).rejects.toThrow('modle');
  } finally {
    await instance[Symbol.asyncDispose]();
  }
});
