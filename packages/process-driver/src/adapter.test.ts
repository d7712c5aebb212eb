import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { launchRequestValue, readDescription, readLaunchPlan, readLoginState } from './adapter.js';
import { readEvent, readEvents } from './adapter-events.js';
import type { DriverEvent } from './contract.js';
import { ShapeError } from './raw-values.js';

describe('events', () => {
  const accepted: [unknown, DriverEvent][] = [
    [
      { tag: 'text', val: 'a' },
      { tag: 'text', text: 'a' },
    ],
    [
      { tag: 'text-delta', val: '' },
      { tag: 'text-delta', text: '' },
    ],
    [
      { tag: 'thinking', val: 'a' },
      { tag: 'thinking', text: 'a' },
    ],
    [
      { tag: 'thinking-delta', val: 'a' },
      { tag: 'thinking-delta', text: 'a' },
    ],
    [
      { tag: 'note', val: 'a' },
      { tag: 'note', text: 'a' },
    ],
    [
      { tag: 'suggested-prompt', val: 'a' },
      { tag: 'suggested-prompt', text: 'a' },
    ],
    [
      { tag: 'session-started', val: { id: 'i', auth: 'x', model: undefined } },
      { tag: 'session-started', id: 'i', auth: 'x', model: null },
    ],
    [
      { tag: 'session-started', val: { id: 'i', auth: 'x', model: 'm' } },
      { tag: 'session-started', id: 'i', auth: 'x', model: 'm' },
    ],
    [
      { tag: 'tool-call', val: { id: 'i', name: 'n', input: '{}' } },
      { tag: 'tool-call', id: 'i', name: 'n', input: '{}' },
    ],
    [
      { tag: 'tool-result', val: { id: 'i', output: 'o', isError: true } },
      { tag: 'tool-result', id: 'i', output: 'o', isError: true },
    ],
    [
      { tag: 'retry', val: { attempt: 3, reason: 'r' } },
      { tag: 'retry', attempt: 3, reason: 'r' },
    ],
    [
      { tag: 'turn-end', val: 'r' },
      { tag: 'turn-end', result: 'r' },
    ],
    [
      { tag: 'turn-failed', val: { kind: 'auth', message: 'm' } },
      { tag: 'turn-failed', kind: 'auth', message: 'm' },
    ],
    [
      { tag: 'tool-call-started', val: { id: 'i', name: 'n' } },
      { tag: 'tool-call-started', id: 'i', name: 'n' },
    ],
    [
      { tag: 'tool-call-progress', val: { id: 'i', inputBytes: 7n } },
      { tag: 'tool-call-progress', id: 'i', inputBytes: 7 },
    ],
    [
      { tag: 'usage', val: { input: 0n, output: undefined, cacheRead: 5n } },
      { tag: 'usage', usage: { input: 0, cacheRead: 5 } },
    ],
    [
      { tag: 'usage', val: { thinking: 2n ** 64n - 1n, cacheCreation: 2n ** 53n } },
      { tag: 'usage', usage: { thinking: Number.MAX_SAFE_INTEGER, cacheCreation: Number.MAX_SAFE_INTEGER } },
    ],
    [
      {
        tag: 'quota',
        val: [{ name: 'day', used: 0.5, resetsAt: 9n, windowMinutes: 300n, state: 'ok' }, { name: 'x' }],
      },
      {
        tag: 'quota',
        windows: [{ name: 'day', used: 0.5, resetsAt: 9, windowMinutes: 300, state: 'ok' }, { name: 'x' }],
      },
    ],
  ];
  test.each(accepted.map(([raw, event]) => [event.tag, raw, event] as const))('%s', (_tag, raw, event) =>
    expect(readEvent(raw)).toStrictEqual(event),
  );

  const refused: [unknown][] = [
    [null],
    ['text'],
    [[]],
    [{}],
    [{ tag: 'unheard-of', val: 'x' }],
    [{ tag: 'text' }],
    [{ tag: 'text', val: 5 }],
    [{ tag: 'turn-failed', val: { kind: 'new-kind', message: '' } }],
    [{ tag: 'tool-result', val: { id: 'i', output: 'o', isError: 'yes' } }],
    [{ tag: 'usage', val: { input: -1n } }],
    [{ tag: 'usage', val: { input: 1.5 } }],
    [{ tag: 'usage', val: { input: '5' } }],
    [{ tag: 'quota', val: [{ name: 'a', state: 'fine' }] }],
    [{ tag: 'quota', val: {} }],
  ];
  test.each(refused.map(([raw], index) => [index, raw] as const))('malformed event %i', (_index, raw) => {
    expect(() => readEvent(raw)).toThrow(ShapeError);
    expect(() => readEvents([{ tag: 'note', val: 'a' }, raw])).toThrow(ShapeError);
  });

  test('anything at all is an event or a ShapeError', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything(),
          fc.record({ tag: fc.constantFrom('usage', 'quota', 'tool-call', 'retry'), val: fc.anything() }),
        ),
        (raw) => {
          try {
            readEvent(raw);
          } catch (error) {
            expect(error).toBeInstanceOf(ShapeError);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});

const rawPlan = {
  args: ['a'],
  envSet: [['A', 'b']],
  files: [{ name: 'f', contents: 'c' }],
  stdin: undefined,
  keepStdinOpen: false,
  interruptStdin: undefined,
};

test('a launch plan', () => {
  expect(readLaunchPlan(rawPlan)).toEqual({ ...rawPlan, stdin: null, interruptStdin: null });
  const bytes = new Uint8Array([1, 2]);
  expect(readLaunchPlan({ ...rawPlan, stdin: bytes, interruptStdin: bytes })).toMatchObject({
    stdin: bytes,
    interruptStdin: bytes,
  });
});

test.each([
  { args: 'a' },
  { args: [1] },
  { envSet: [['A']] },
  { envSet: [['A', 'b', 'c']] },
  { envSet: [{ 0: 'A', 1: 'b' }] },
  { files: [{ name: 'f' }] },
  { stdin: 'text' },
  { stdin: [1, 2] },
  { keepStdinOpen: undefined },
])('a plan with %j is refused', (change) =>
  expect(() => readLaunchPlan({ ...rawPlan, ...change })).toThrow(ShapeError),
);

test('a launch request crosses with absent members absent and broken surrogates replaced', () => {
  const request = {
    model: null,
    systemPrompt: 'a\ud800b',
    config: null,
    bridge: null,
    session: { id: 's', mode: 'new' },
    harnessVersion: null,
    task: '😀\udc00',
  } as const;
  expect(launchRequestValue(request)).toEqual({
    systemPrompt: 'a\ufffdb',
    session: { id: 's', mode: 'new' },
    task: '😀\ufffd',
  });
});

test('a description and a login state', () => {
  const raw = {
    harness: 'h',
    binary: 'b',
    versionArgs: [],
    testedVersions: ['1'],
    interrupt: 'unsupported',
    requiredEnv: ['A'],
    streamsText: true,
    reportsUsage: false,
    loginCheck: { tag: 'command', val: ['x'] },
    harnessNeeds: { paths: [{ path: '~/.x', access: 'read-write' }], hosts: ['h'] },
  };
  expect(readDescription(raw)).toEqual({ ...raw, loginCheck: { tag: 'command', args: ['x'] } });
  for (const [key, value] of Object.entries({
    interrupt: 'kill',
    loginCheck: { tag: 'ask' },
    harnessNeeds: null,
    requiredEnv: undefined,
    streamsText: 1,
  }))
    expect(() => readDescription({ ...raw, [key]: value })).toThrow(ShapeError);
  expect(readLoginState({ tag: 'logged-in' })).toEqual({ tag: 'logged-in' });
  expect(readLoginState({ tag: 'logged-out', val: 'r' })).toEqual({ tag: 'logged-out', reason: 'r' });
  expect(() => readLoginState({ tag: 'maybe' })).toThrow(ShapeError);
});
