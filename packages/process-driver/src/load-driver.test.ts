import { ComponentFailure, type ComponentRuntime } from '@murmur/components';
import { describe, expect, test } from 'vitest';
import { loadProcessDriver } from './load-driver.js';

const sound = {
  harness: 'h',
  binary: 'b',
  versionArgs: [],
  testedVersions: [],
  interrupt: 'unsupported',
  requiredEnv: [],
  streamsText: false,
  reportsUsage: false,
  loginCheck: { tag: 'unavailable', val: 'no way' },
  harnessNeeds: { paths: [], hosts: [] },
};

/** A component runtime whose one component answers as told. Only what is decided here is looked at. */
function runtime(
  answer: () => unknown,
  onPrepare: (allow: (name: string) => boolean) => void = () => undefined,
): ComponentRuntime & { alive: number; started: number } {
  let kept: string | null = null;
  const self = {
    alive: 0,
    started: 0,
    readNames: () => ({
      kind: 'component' as const,
      imports: [],
      exports: ['init', 'murmur:driver/process@0.6.0'],
    }),
    async prepare(_bytes: Uint8Array, options: { readonly allowImports: (name: string) => boolean }) {
      onPrepare(options.allowImports);
      return {
        sha256: '',
        names: self.readNames(),
        directory: '',
        fromCache: false,
        limits: { memoryBytes: 1, tableElements: 1, instances: 1 },
      };
    },
    recall: async () => kept,
    async remember(_component: unknown, _name: string, text: string) {
      kept = text;
    },
    async start() {
      self.started += 1;
      self.alive += 1;
      const stop = async (): Promise<void> => {
        self.alive -= 1;
      };
      return { pid: 1, call: async () => answer(), kill: stop, [Symbol.asyncDispose]: stop };
    },
  };
  return self;
}
const load = (components: ComponentRuntime) =>
  loadProcessDriver({ name: 'd', version: '1', bytes: new Uint8Array(), components });

test('a driver may import from wasi: and nowhere else', async () => {
  let allow = (_name: string): boolean => false;
  await load(
    runtime(
      () => sound,
      (given) => {
        allow = given;
      },
    ),
  );
  expect(['wasi:io/streams@0.2.6', 'wasi:cli/environment@0.2.0'].map(allow)).toEqual([true, true]);
  expect(['murmur:tool/run@0.1.0', 'wasix:io/x', 'wasi', 'my-wasi:io/x', '', 'import'].map(allow)).toEqual(
    Array(6).fill(false),
  );
});

describe('the instance that was asked is gone', () => {
  test('after a good answer', async () => {
    const components = runtime(() => sound);
    expect((await load(components)).description.loginCheck).toEqual({ tag: 'unavailable', reason: 'no way' });
    expect(components.alive).toBe(0);
  });

  test.each<[string, () => unknown, string]>([
    [
      'after a trap',
      () => {
        throw new ComponentFailure('trap', 'wasm trap: unreachable');
      },
      'wasm trap: unreachable',
    ],
    [
      'after its deadline',
      () => {
        throw new ComponentFailure('deadline', 'describe did not finish');
      },
      'describe did not finish',
    ],
    ['after an answer of another shape', () => ({ ...sound, interrupt: 'kill' }), 'interrupt must be one of'],
    ['after an unusable answer', () => ({ ...sound, requiredEnv: ['A=B'] }), '"A=B"'],
    ['after a question no program can be asked', () => ({ ...sound, versionArgs: ['-v\0'] }), 'NUL'],
    [
      'after a login question no program can be asked',
      () => ({ ...sound, loginCheck: { tag: 'command', val: ['a', 'b\0'] } }),
      'NUL',
    ],
  ])('%s, which is told', async (_name, answer, message) => {
    const components = runtime(answer);
    await expect(load(components)).rejects.toMatchObject({
      condition: {
        variant: 'ProcessDriverLoad',
        name: 'd',
        version: '1',
        message: expect.stringContaining(message),
      },
    });
    expect(components.alive).toBe(0);
  });
});

test('what a driver says of itself is asked once and kept with its component', async () => {
  const components = runtime(() => sound);
  const first = await load(components);
  expect((await load(components)).description).toEqual(first.description);
  expect(components.started).toBe(1);
});

test('an instance that does not start is a failed launch', async () => {
  const components = runtime(() => sound);
  const driver = await load(components);
  components.start = async () => {
    throw new ComponentFailure('instantiate', 'no room');
  };
  await expect(driver.openInstance()).rejects.toMatchObject({
    condition: { variant: 'ProcessDriverCallFailed', call: 'launch', message: 'no room' },
  });
});
