import { loadProcessDriver } from '@murmur/process-driver';
import { afterAll, describe, expect, test } from 'vitest';
import { close, components, driver, variantBytes } from './support/host.js';

afterAll(close);
const isNetworkEntry = (entry: string): string | null => (entry.includes(' ') ? 'is no host' : null);
const load = (bytes: Uint8Array) =>
  loadProcessDriver({ name: 'fake', version: '1.0.0', bytes, components, isNetworkEntry });
const refused = (message: RegExp) => ({
  condition: {
    variant: 'ProcessDriverLoad',
    name: 'fake',
    version: '1.0.0',
    message: expect.stringMatching(message),
  },
});

test('a sound driver says what it drives', async () => {
  const loaded = await load(variantBytes('needs'));
  expect(loaded).toMatchObject({ name: 'fake', version: '1.0.0' });
  expect(loaded.description).toEqual({
    harness: 'fake',
    binary: 'fake-agent',
    versionArgs: ['--version'],
    testedVersions: ['1.0.0'],
    interrupt: 'signal-int',
    requiredEnv: ['PATH', 'HOME', 'FAKE_REQUIRED'],
    streamsText: true,
    reportsUsage: true,
    loginCheck: { tag: 'command', args: ['login', 'status'] },
    harnessNeeds: {
      paths: [
        { path: '~/.fake-agent', access: 'read-write' },
        { path: '/usr/share/fake-agent', access: 'read' },
      ],
      hosts: ['models.fake.test', 'https://api.fake.test:8443'],
    },
  });
});

describe('a description that cannot be used is refused, quoting what is wrong', () => {
  test.each([
    ['bad-env-empty', /""/],
    ['bad-env-equals', /"PATH=x"/],
    ['bad-env-nul', /PA.*TH/],
    ['bad-login-empty', /login-check/],
    ['bad-path-relative', /"relative\/path"/],
    ['bad-path-home-itself', /"~\/"/],
    ['bad-path-other-home', /"~other\/x"/],
    ['bad-path-parent', /"~\/x\/..\/..\/y"/],
    ['bad-path-nul', /harness-needs/],
    ['bad-host', /"not a host".*is no host/],
    ['bad-harness-blank', /harness/],
    ['bad-binary-blank', /binary/],
    ['describe-traps', /./],
    ['describe-balloons', /memory|trap/],
  ])('%s', async (variant, message) => {
    await expect(load(variantBytes(variant))).rejects.toMatchObject(refused(message));
  });

  test('describe-hangs, within its 30 s', async () => {
    await expect(load(variantBytes('describe-hangs'))).rejects.toMatchObject(refused(/30000|30 ?s/));
  });
});

describe('bytes that are no process driver', () => {
  const missing = {
    condition: {
      variant: 'ProcessDriverInterfaceMissing',
      expected: 'murmur:driver/process@0.6.0',
      found: [],
    },
  };
  test.each<[string, Uint8Array]>([
    ['nothing', new Uint8Array()],
    ['text', Buffer.from('(component)')],
    ['a core module', Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])],
    ['an empty component', Buffer.from([0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0])],
  ])('%s', async (_name, bytes) => {
    await expect(load(bytes)).rejects.toMatchObject(missing);
  });

  test('one built for a neighbouring version names what it was built for', async () => {
    const { exports } = components.readNames(variantBytes('other-interface-version'));
    const found = exports.filter((name) => name.startsWith('murmur:driver/process@'));
    expect(found).not.toEqual([]);
    await expect(load(variantBytes('other-interface-version'))).rejects.toMatchObject({
      condition: { ...missing.condition, found },
    });
  });

  test('one that imports more than WASI is refused, naming the import', async () => {
    const foreign = components
      .readNames(variantBytes('imports-more'))
      .imports.find((name) => !name.startsWith('wasi:'));
    expect(foreign).toBeDefined();
    const error = await load(variantBytes('imports-more')).catch((caught: unknown) => caught);
    expect(error).toMatchObject(refused(/./));
    expect(JSON.stringify(error)).toContain(foreign);
  });
});

test('each run gets an instance of its own', async () => {
  const loaded = await driver();
  const one = await loaded.openInstance();
  const two = await loaded.openInstance();
  const launch = (session: string) => ({
    model: null,
    systemPrompt: '',
    config: null,
    bridge: null,
    session: { id: session, mode: 'new' as const },
    harnessVersion: null,
    task: '',
  });
  await Promise.all([one.launch(launch('a')), two.launch(launch('b'))]);
  await one[Symbol.asyncDispose]();
  await expect(one.parse(['x'])).rejects.toMatchObject({
    condition: { variant: 'ProcessDriverCallFailed', call: 'parse' },
  });
  expect(await two.parse(['{"event":{"tag":"text","val":"x"}}'])).toEqual([{ tag: 'text', text: 'x' }]);
  await two[Symbol.asyncDispose]();
});
