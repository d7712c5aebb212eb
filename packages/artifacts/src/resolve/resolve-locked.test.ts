import {
  type ArtifactEntry,
  type ArtifactRole,
  type Lock,
  type LockEntry,
  parseLock,
} from '@murmur/manifest';
import { expect, test } from 'vitest';
import { entries, entry } from '../../test/project.js';
import { conditionOf, scratch } from '../../test/scratch.js';
import { sha256Of } from '../sha256.js';
import { openStore } from '../store/open-store.js';
import type { ArtifactStore } from '../store/store.js';
import { type ResolveLockedOptions, resolveLocked } from './resolve-locked.js';

const digestOf = (name: string, version = '1.0.0') => sha256Of(Buffer.from(`${name} ${version}`));

async function storeWith(...names: string[]): Promise<ArtifactStore> {
  const store = openStore(scratch());
  for (const coordinate of names) {
    const [name = '', version = '1.0.0'] = coordinate.split('@');
    const meta = {
      name,
      version,
      runtime: 'wasm' as const,
      artifactRuntime: 'tool',
      platforms: [],
      description: null,
      tags: [],
    };
    await store.install({ name, version, platform: null, bytes: Buffer.from(`${name} ${version}`), meta });
  }
  return store;
}

function lockOf(...pins: (Partial<LockEntry> & { name: string })[]): Lock {
  const artifacts = pins.map((pin) => ({
    resolvedVersion: '1.0.0',
    sha256: { any: digestOf(pin.name) },
    origin: 'operator' as const,
    extra: {},
    ...pin,
  }));
  return { lockVersion: 2, artifacts, extra: {} };
}

const base = { lockFile: 'murmur.lock', platform: 'linux-x86_64' } as const;
const refusal = (options: Omit<ResolveLockedOptions, 'lockFile' | 'platform'>) =>
  conditionOf(() => resolveLocked({ ...base, ...options }));

test('pinned artifacts are resolved in the order of the manifest, from the first store that has them', async () => {
  const project = await storeWith('b');
  const home = await storeWith('a', 'b');
  const artifacts = [
    entry('a', '1.0.0'),
    ...entries('  - { name: s, source: ./s, runtime: skill }\n'),
    entry('b', '1.0.0', 'tool'),
  ];
  const found = await resolveLocked({
    ...base,
    artifacts,
    lock: lockOf({ name: 'b' }, { name: 'a' }, { name: 'unused' }),
    stores: [project, home],
  });
  expect(found.map(({ entry: { name }, resolved }) => [name, resolved.bytes.toString()])).toEqual([
    ['a', 'a 1.0.0'],
    ['b', 'b 1.0.0'],
  ]);
  expect(found[1]?.resolved.file.startsWith(project.root)).toBe(true);
});

test('without a lock only presence is checked', async () => {
  const stores = [await storeWith('a')];
  expect(await resolveLocked({ ...base, artifacts: [entry('a', '1.0.0')], lock: null, stores })).toHaveLength(
    1,
  );
  expect(
    await refusal({ artifacts: [entry('a', '2.0.0'), entry('c', '1')], lock: null, stores }),
  ).toMatchObject({
    code: 'E-RUN-008',
    missing: ['a@2.0.0', 'c@1'],
  });
});

const driver = entry('a', '1.0.0');
const cases: [string, Partial<ResolveLockedOptions>, Record<string, unknown>][] = [
  [
    'no entry',
    { lock: lockOf({ name: 'b' }) },
    { variant: 'LockMissingEntry', code: 'E-RUN-003', name: 'a' },
  ],
  [
    'another version',
    { lock: lockOf({ name: 'a', resolvedVersion: '2.0.0' }) },
    { variant: 'LockVersionMismatch', name: 'a', requested: '1.0.0', pinned: '2.0.0' },
  ],
  [
    'no digest for this host',
    {
      lock: lockOf({
        name: 'a',
        sha256: { platforms: { 'darwin-x86_64': digestOf('a'), 'darwin-aarch64': digestOf('a') } },
      }),
    },
    {
      code: 'E-RUN-003',
      file: 'murmur.lock',
      problem: "'a' is pinned for darwin-aarch64, darwin-x86_64, not for this host (linux-x86_64)",
    },
  ],
  [
    'another digest',
    { lock: lockOf({ name: 'a', sha256: { any: digestOf('b') } }) },
    { variant: 'ArtifactIntegrityFailed', code: 'E-REG-002', name: 'a', version: '1.0.0' },
  ],
  [
    'another digest for this host',
    { lock: lockOf({ name: 'a', sha256: { platforms: { 'linux-x86_64': digestOf('b') } } }) },
    { variant: 'ArtifactIntegrityFailed' },
  ],
  [
    'a pin of a capsule for a driver',
    { lock: lockOf({ name: 'a', origin: 'runtime', session: 'ses_1' }) },
    {
      variant: 'RuntimeOriginNotDeclarable',
      code: 'E-RUN-043',
      name: 'a',
      session: 'ses_1',
      declared_as: 'runtime: driver',
    },
  ],
];
test.each(cases)('a lock with %s is refused', async (_what, options, expected) => {
  const stores = [await storeWith('a')];
  expect(await refusal({ artifacts: [driver], lock: null, stores, ...options })).toMatchObject(expected);
});

test('which part a pin of a capsule may not play is told by the first that applies', async () => {
  const stores = [await storeWith('a')];
  const lock = lockOf({ name: 'a', origin: 'runtime', session: 'ses_1' });
  const gateway = { endpoint: 'https://example.org', keyless: true };
  const declaredAs = async (role: ArtifactRole, change: Partial<ArtifactEntry> = {}) => {
    const artifacts = [{ ...entry('a', '1.0.0', role), ...change }];
    return (await refusal({ artifacts, lock, stores, systemPromptArtifact: 'a' })).declared_as;
  };
  expect(await declaredAs('hook', { gateway })).toBe('runtime: hook');
  expect(await declaredAs('driver', { gateway })).toBe('runtime: driver');
  expect(await declaredAs('tool', { gateway })).toBe('gateway:');
  expect(await declaredAs('skill')).toBe('inference.system_prompt_artifact');
  const plain = entries('  - { name: a, version: "1.0.0", runtime: tool }\n');
  expect(await resolveLocked({ ...base, artifacts: plain, lock, stores })).toHaveLength(1);
});

test('one kind of check comes before the next, whatever the order of the manifest', async () => {
  const stores = [await storeWith('missing-pin', 'drifted', 'elsewhere', 'tampered', 'pulled')];
  const pins = {
    drifted: { name: 'drifted', resolvedVersion: '9' },
    elsewhere: { name: 'elsewhere', sha256: { platforms: { 'darwin-x86_64': digestOf('x') } } },
    tampered: { name: 'tampered', sha256: { any: digestOf('x') } },
    pulled: { name: 'pulled', origin: 'runtime' as const, session: 'ses_1' },
  };
  const lock = lockOf(...Object.values(pins));
  const order = ['tampered', 'elsewhere', 'drifted', 'missing-pin', 'pulled', 'absent'];
  const codes = [];
  for (let count = order.length; count > 0; count -= 1) {
    const artifacts = order.slice(0, count).map((name) => entry(name, '1.0.0'));
    const condition = await refusal({ artifacts, lock, stores });
    codes.push(condition.variant ?? condition.code);
  }
  expect(codes).toEqual([
    'E-RUN-008',
    'RuntimeOriginNotDeclarable',
    'LockMissingEntry',
    'LockVersionMismatch',
    'E-RUN-003',
    'ArtifactIntegrityFailed',
  ]);
});

test('an artifact that vanishes after the first look is not found', async () => {
  const store = await storeWith('a');
  const vanishing: ArtifactStore = { ...store, resolve: async () => null };
  expect(
    await refusal({ artifacts: [driver], lock: lockOf({ name: 'a' }), stores: [vanishing] }),
  ).toMatchObject({
    variant: 'ArtifactNotFound',
    code: 'E-REG-001',
  });
});

const lockText = `lock_version: 2
artifacts:
  - name: a
    resolved_version: "1.0.0"
    sha256:
      any: ${digestOf('a')}
    origin: operator
  - name: b
    resolved_version: "1.0.0"
    sha256:
      platforms:
        linux-x86_64: ${digestOf('b')}
    origin: runtime
    session: ses_1
`;
const entryA = lockText.slice(lockText.indexOf('  - name: a'), lockText.indexOf('  - name: b'));

test.each<[string, (text: string) => string]>([
  ['the version of the lock dropped', (text) => text.replace('lock_version: 2\n', '')],
  ['the version of the lock changed', (text) => text.replace('lock_version: 2', 'lock_version: 1')],
  ['the list dropped', () => 'lock_version: 2\n'],
  ['the list emptied', () => 'lock_version: 2\nartifacts: []\n'],
  ['an entry dropped', (text) => text.replace(entryA, '')],
  ['an entry twice', (text) => text + entryA],
  ['a name dropped', (text) => text.replace('- name: a\n    ', '- ')],
  ['a name emptied', (text) => text.replace('name: a', 'name: ""')],
  ['a name changed', (text) => text.replace('name: a', 'name: c')],
  [
    'names swapped',
    (text) => text.replace('name: a', 'name: x').replace('name: b', 'name: a').replace('name: x', 'name: b'),
  ],
  ['a version dropped', (text) => text.replace('    resolved_version: "1.0.0"\n', '')],
  ['a version emptied', (text) => text.replace('"1.0.0"', '""')],
  ['a version changed', (text) => text.replace('"1.0.0"', '"1.0.1"')],
  ['a version unquoted and shortened', (text) => text.replace('"1.0.0"', '1.0')],
  ['digests dropped', (text) => text.replace(/ {4}sha256:\n {6}any: .*\n/, '')],
  ['digests emptied', (text) => text.replace(/sha256:\n {6}any: .*/, 'sha256: {}')],
  ['a digest emptied', (text) => text.replace(/any: .*/, 'any: ""')],
  ['a digest changed', (text) => text.replace(digestOf('a'), digestOf('x'))],
  ['a digest in capitals', (text) => text.replace(digestOf('a'), digestOf('a').toUpperCase())],
  ['a digest cut', (text) => text.replace(digestOf('a'), digestOf('a').slice(1))],
  [
    'digests swapped',
    (text) =>
      text.replace(digestOf('a'), 'X').replace(digestOf('b'), digestOf('a')).replace('X', digestOf('b')),
  ],
  ['a digest of both shapes', (text) => text.replace('      any:', '      platforms: {}\n      any:')],
  ['a platform changed', (text) => text.replace('linux-x86_64', 'linux-aarch64')],
  ['a platform emptied', (text) => text.replace('linux-x86_64', '""')],
  ['platforms emptied', (text) => text.replace(/platforms:\n.*/, 'platforms: {}')],
  ['an unknown origin', (text) => text.replace('origin: operator', 'origin: nobody')],
  ['an empty origin', (text) => text.replace('origin: operator', 'origin: ""')],
  ['an origin without its session', (text) => text.replace('    session: ses_1\n', '')],
  ['a session without its origin', (text) => text.replace('origin: runtime', 'origin: operator')],
  ['an empty session', (text) => text.replace('ses_1', '""')],
  [
    'a driver handed to a capsule',
    (text) => text.replace('origin: operator', 'origin: runtime\n    session: ses_1'),
  ],
  ['nothing in it', () => ''],
])('a lock with %s never leads to a launch', async (_what, change) => {
  const stores = [await storeWith('a', 'b')];
  const artifacts = [entry('a', '1.0.0'), entry('b', '1.0.0', 'tool')];
  const launch = (text: string) =>
    resolveLocked({ ...base, artifacts, stores, lock: parseLock(text, { file: 'murmur.lock' }) });
  expect(await launch(lockText)).toHaveLength(2);
  expect(change(lockText)).not.toBe(lockText);
  expect((await conditionOf(async () => launch(change(lockText)))).code).toMatch(
    /^E-(RUN-003|REG-002|RUN-043)$/,
  );
});
