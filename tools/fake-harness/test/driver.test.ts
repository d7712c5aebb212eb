import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type CheckedDriver, checkDriver } from '@murmur/driver-kit';
import type { DriverInstance } from '@murmur/process-driver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeVariants } from '../driver/describe.js';

/* The faults of the fake driver are real ones: what is told to trap, hang or balloon does. */

const variants = fileURLToPath(new URL('../dist/variants/', import.meta.url));
const check = (variant: string) =>
  checkDriver({
    bytes: readFileSync(`${variants}${variant}.mur.zip`),
    name: 'murmur-driver-fake',
    version: '0.1.0',
  });

let plain: CheckedDriver;
beforeAll(async () => {
  plain = await check('plain');
});
afterAll(() => plain?.[Symbol.asyncDispose]());

async function withInstance(use: (instance: DriverInstance) => Promise<void>): Promise<void> {
  const instance = await plain.openInstance();
  try {
    await use(instance);
  } finally {
    await instance[Symbol.asyncDispose]();
  }
}

const launch = (instance: DriverInstance, config: unknown) =>
  instance.launch({
    model: 'm',
    systemPrompt: 'sys',
    config: JSON.stringify(config),
    bridge: null,
    session: { id: 's', mode: 'new' },
    harnessVersion: null,
    task: 'the task',
  });
const exit = { code: 0, signal: null, stderrTail: '', interrupted: false, sawTerminal: false };

test('every variant of the table is built', () => {
  const built = readdirSync(variants).filter((file) => file.endsWith('.mur.zip'));
  expect(built).toEqual(
    expect.arrayContaining(Object.keys(describeVariants).map((name) => `${name}.mur.zip`)),
  );
});

test.each([
  ['bad-env-nul', 'E-RUN-032', 'PA'],
  ['describe-traps', 'E-RUN-032', 'trap'],
  ['describe-balloons', 'E-RUN-032', 'describe'],
  ['imports-more', 'E-RUN-032', 'murmur:driver/clipboard@0.6.0'],
  ['other-interface-version', 'E-RUN-029', 'murmur:driver/process@0.5.0'],
])('%s is refused at load with %s', async (variant, code, part) => {
  await expect(check(variant)).rejects.toMatchObject({
    diagnostic: { code, message: expect.stringContaining(part) },
  });
});

test('needs of every kind are described as written', async () => {
  const needs = await check('needs');
  expect(needs.description.requiredEnv).toContain('FAKE_REQUIRED');
  expect(needs.description.harnessNeeds.paths).toHaveLength(2);
  await needs[Symbol.asyncDispose]();
});

test('the configuration steers the plan', () =>
  withInstance(async (instance) => {
    const plan = await launch(instance, {
      script: [{ exit: 3 }],
      args: ['--x'],
      env: [['A=B', 'c']],
      files: [{ name: '../x', contents: 'y' }],
      stdin: 'in',
      keep_stdin_open: true,
      interrupt_stdin: 'stop\n',
      request_file: true,
    });
    expect(plan.args).toEqual(['--script', '{files_dir}/script.json', '--x']);
    expect(plan.envSet).toEqual([['A=B', 'c']]);
    expect(plan.files.map((file) => file.name)).toEqual(['script.json', 'request.json', '../x']);
    expect(JSON.parse(plan.files[1]?.contents ?? '')).toMatchObject({
      model: 'm',
      task: 'the task',
      systemPrompt: 'sys',
    });
    expect(plan.keepStdinOpen).toBe(true);
    expect(Buffer.from(plan.interruptStdin ?? []).toString()).toBe('stop\n');
  }));

test('lines script events one to one; anything else is a note', () =>
  withInstance(async (instance) => {
    await launch(instance, {});
    const lines = [
      { event: { tag: 'usage', val: { input: 3 } } },
      {
        events: [
          { tag: 'text', val: 'a' },
          { tag: 'turn-end', val: 'b' },
        ],
      },
      { event: { tag: 'no-such-event' } },
      { other: 1 },
    ];
    expect(await instance.parse(lines.map((line) => JSON.stringify(line)))).toEqual([
      { tag: 'usage', usage: { input: 3 } },
      { tag: 'text', text: 'a' },
      { tag: 'turn-end', result: 'b' },
      { tag: 'note', text: expect.stringContaining('does not fit the contract') },
      { tag: 'note', text: expect.stringContaining('unread line') },
    ]);
  }));

test.each(['trap', 'balloon', 'throw', 'refuse'])('launch: %s fails the call', (fault) =>
  withInstance(async (instance) => {
    await expect(launch(instance, { launch: fault })).rejects.toMatchObject({
      diagnostic: { code: 'E-RUN-034' },
    });
  }),
);

test.each(['trap', 'balloon', 'throw'])('parse and classify-exit: %s fails the call', async (fault) => {
  await withInstance(async (instance) => {
    await launch(instance, {});
    await expect(instance.parse([JSON.stringify({ driver: fault })])).rejects.toMatchObject({
      diagnostic: { code: 'E-RUN-034' },
    });
  });
  await withInstance(async (instance) => {
    await launch(instance, { classify_exit: fault });
    await expect(instance.classifyExit(exit)).rejects.toMatchObject({ diagnostic: { code: 'E-RUN-034' } });
  });
});

test('classify-exit answers what it is told to, an event that ends nothing included', () =>
  withInstance(async (instance) => {
    await launch(instance, { classify_exit: { tag: 'note', val: 'no end' } });
    expect(await instance.classifyExit(exit)).toEqual({ tag: 'note', text: 'no end' });
    await launch(instance, { classify_exit: { tag: 'turn-end', val: 'fine' } });
    expect(await instance.classifyExit(exit)).toEqual({ tag: 'turn-end', result: 'fine' });
  }));

test('an unknown key is refused by name', () =>
  withInstance(async (instance) => {
    await expect(launch(instance, { scirpt: [] })).rejects.toMatchObject({
      diagnostic: { message: expect.stringContaining('scirpt') },
    });
  }));
