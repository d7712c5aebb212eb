import { CANARY } from '../drivers/hostile-turn.js';
import type { Random } from '../random.js';
import { mutateValue } from './mutate-value.js';

/** Valid answers of a driver, in jco's JavaScript shapes. */
export const rawDescription = {
  harness: 'codex',
  binary: 'codex',
  versionArgs: ['--version'],
  testedVersions: ['1.0.0', '1.1.0'],
  interrupt: 'signal-int',
  requiredEnv: ['HOME', 'PATH'],
  streamsText: false,
  reportsUsage: true,
  loginCheck: { tag: 'command', val: ['login', 'status'] },
  harnessNeeds: {
    paths: [
      { path: '~/.codex', access: 'read-write' },
      { path: '/etc/ssl', access: 'read' },
    ],
    hosts: ['api.example.org', 'auth.example.org:443'],
  },
};

export const rawPlan = {
  args: ['exec', '--files', '{files_dir}/a.json', '-'],
  envSet: [
    ['CODEX_HOME', '/home/person/.codex'],
    ['TOKEN', CANARY],
  ],
  files: [
    { name: 'a.json', contents: '{}' },
    { name: 'prompt.txt', contents: 'text' },
  ],
  stdin: new Uint8Array([104, 105]),
  keepStdinOpen: true,
  interruptStdin: new Uint8Array([10]),
};

export const rawEvents = [
  { tag: 'session-started', val: { id: 'abc', auth: 'api-key', model: 'm' } },
  { tag: 'text-delta', val: 'par' },
  { tag: 'text', val: 'part' },
  { tag: 'thinking-delta', val: 'hm' },
  { tag: 'thinking', val: 'hmm' },
  { tag: 'tool-call-started', val: { id: 'c1', name: 'echo' } },
  { tag: 'tool-call-progress', val: { id: 'c1', inputBytes: 12n } },
  { tag: 'tool-call', val: { id: 'c1', name: 'echo', input: '{"text":"x"}' } },
  { tag: 'tool-result', val: { id: 'c1', output: 'x', isError: false } },
  { tag: 'retry', val: { attempt: 1, reason: 'overloaded' } },
  { tag: 'usage', val: { input: 10n, output: 5n, cacheRead: 1n, cacheCreation: 0n, thinking: 2n } },
  { tag: 'quota', val: [{ name: 'five-hour', used: 0.5, resetsAt: 1n, windowMinutes: 300n, state: 'ok' }] },
  { tag: 'suggested-prompt', val: 'next?' },
  { tag: 'note', val: `something happened ${CANARY}` },
  { tag: 'turn-end', val: 'done' },
  { tag: 'turn-failed', val: { kind: 'quota', message: `too much ${CANARY}` } },
];

export const rawLoginState = { tag: 'logged-out', val: 'sign in' };

/** Kinds of value that cross from a guest besides those of JSON. */
const crossing: readonly unknown[] = [
  0n,
  -1n,
  2n ** 64n - 1n,
  new Uint8Array(0),
  new Uint8Array([0, 255]),
  undefined,
  Number.NaN,
];

/** A raw answer with something wrong in it: kinds, members, tags, texts. */
export function hostileAnswer(valid: unknown, random: Random): unknown {
  if (random.oneIn(20)) return random.pick(crossing);
  const mutated = mutateValue(valid, random, 2);
  if (!random.oneIn(12) || typeof mutated !== 'object' || mutated === null) return mutated;
  const key = random.pick([...Object.keys(mutated), 'val']);
  Object.defineProperty(mutated, key, {
    value: random.pick(crossing),
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return mutated;
}
