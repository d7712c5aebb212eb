import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { refusalOf } from '../../test/refusal.js';
import type { JsonValue } from '../types.js';
import { formatLock } from './format.js';
import { parseLock } from './parse.js';
import type { Lock, LockEntry } from './types.js';
import { digestConflict, emptyLock, lockEntry, removeFromLock, upsertLock } from './update.js';

const FILE = { file: 'murmur.lock' };
const HASH_A = 'a'.repeat(64);
const HASH_B = 'b'.repeat(64);
const TEXT = `lock_version: 2
artifacts:
  - name: some-tool
    resolved_version: 1.10
    sha256:
      any: ${HASH_A}
    origin: operator
  - name: owner/native-tool
    resolved_version: "0.4.2"
    sha256:
      platforms:
        darwin-aarch64: ${HASH_A}
        linux-x86_64: ${HASH_B}
    origin: runtime
    session: ses_1
`;

const refusal = (text: string | Uint8Array) => refusalOf(() => parseLock(text, FILE));
const entry = (text: string): string => `lock_version: 2\nartifacts:\n  - ${text}\n`;

/** A JSON value that a lock may carry in keys of a later version. */
const extraValue = fc
  .jsonValue({ maxDepth: 2 })
  .filter((value) => isReadable(value) && !JSON.stringify(value).includes('__proto__'));
const isReadable = (value: unknown): boolean => {
  if (typeof value === 'string') return !/\p{Surrogate}/u.test(value);
  if (typeof value === 'number')
    return !Object.is(value, -0) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).flat().every(isReadable);
};
const extra = fc.dictionary(
  fc.stringMatching(/^x_[a-z]{1,6}$/),
  extraValue.map((value) => JSON.parse(JSON.stringify(value)) as JsonValue),
  { maxKeys: 3 },
);
const hash = fc.stringMatching(/^[0-9a-f]{64}$/);
const name = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,8}[a-z0-9](\/[a-z0-9]{1,8})?$/);
const version = fc
  .oneof(
    fc.stringMatching(/^[0-9]{1,3}(\.[0-9]{1,3}){0,3}$/),
    fc.constantFrom(
      '1.10',
      '1e3',
      '0x10',
      '.5e1',
      'true',
      'null',
      '~',
      '1_0',
      '2024-01-01',
      '# x',
      'a: b',
      '- a',
      '"',
      "'",
      '&a',
      '!a',
      '1:2',
    ),
    fc
      .string({ minLength: 1, maxLength: 12 })
      .filter(
        (text) => /^[^./\u0000-\u001f\u007f][^/\u0000-\u001f\u007f]*$/.test(text) && text.trim() !== '',
      ),
  )
  .filter((text) => !text.startsWith('.'));
const digests = fc.oneof(
  hash.map((any) => ({ any })),
  fc
    .dictionary(
      // `__proto__` is a key that no document may hold.
      fc.stringMatching(/^[a-z0-9_-]{1,14}$/).filter((tag) => tag !== '__proto__'),
      hash,
      { minKeys: 1, maxKeys: 4 },
    )
    .map((platforms) => ({
      platforms: { ...platforms },
    })),
);
const lockedEntry: fc.Arbitrary<LockEntry> = fc
  .record({
    name,
    resolvedVersion: version,
    sha256: digests,
    extra,
    session: fc.option(fc.stringMatching(/^ses_[0-9a-f]{4}$/)),
  })
  .map(({ session, ...rest }) =>
    session === null
      ? { ...rest, origin: 'operator' as const }
      : { ...rest, origin: 'runtime' as const, session },
  );
const lock: fc.Arbitrary<Lock> = fc.record({
  lockVersion: fc.constant(2 as const),
  artifacts: fc.uniqueArray(lockedEntry, { selector: (item) => item.name, maxLength: 5 }),
  extra,
});

describe('a lock', () => {
  it('is read as it is written', () => {
    expect(parseLock(TEXT, FILE)).toEqual({
      lockVersion: 2,
      artifacts: [
        {
          name: 'some-tool',
          resolvedVersion: '1.10',
          sha256: { any: HASH_A },
          origin: 'operator',
          extra: {},
        },
        {
          name: 'owner/native-tool',
          resolvedVersion: '0.4.2',
          sha256: { platforms: { 'darwin-aarch64': HASH_A, 'linux-x86_64': HASH_B } },
          origin: 'runtime',
          session: 'ses_1',
          extra: {},
        },
      ],
      extra: {},
    });
  });

  it('may pin nothing, and an entry without origin is the operator’s', () => {
    expect(parseLock('lock_version: 2\nartifacts: []\n', FILE)).toEqual(emptyLock);
    const text = entry(`{name: t, resolved_version: 1, sha256: {any: ${HASH_A}}}`);
    expect(parseLock(text, FILE).artifacts[0]?.origin).toBe('operator');
    expect(formatLock(parseLock(text, FILE), FILE)).toContain('origin: operator');
  });

  it('written and read again is the same, and written again is the same text', () => {
    fc.assert(
      fc.property(lock, (value) => {
        const text = formatLock(value, FILE);
        expect(parseLock(text, FILE)).toEqual(value);
        expect(formatLock(parseLock(text, FILE), FILE)).toBe(text);
      }),
      { numRuns: 100 },
    );
  });

  it('takes a digest without quotes for text, whatever its digits look like', () => {
    for (const digest of ['1'.repeat(64), `12e${'3'.repeat(61)}`, '0'.repeat(64)]) {
      const text = entry(`{name: t, resolved_version: 1e5, sha256: {any: ${digest}}}`);
      const { resolvedVersion, sha256 } = parseLock(text, FILE).artifacts[0] ?? {};
      expect([resolvedVersion, sha256]).toEqual(['1e5', { any: digest }]);
    }
  });

  it('keeps keys that it does not know, and how their numbers are spelt', () => {
    const text = entry(`{name: t, resolved_version: 1, sha256: {any: ${HASH_A}}, source: {tag: 1.10}, n: 3}`);
    const written = formatLock(parseLock(`${text}later: [1, {a: b}]\n`, FILE), FILE);
    expect(parse(written)).toEqual({
      lock_version: 2,
      artifacts: [
        {
          name: 't',
          resolved_version: '1',
          sha256: { any: HASH_A },
          origin: 'operator',
          source: { tag: '1.10' },
          n: 3,
        },
      ],
      later: [1, { a: 'b' }],
    });
  });

  it('writes platforms in order', () => {
    const text = entry(`{name: t, resolved_version: 1, sha256: {platforms: {z: ${HASH_A}, a: ${HASH_B}}}}`);
    expect(formatLock(parseLock(text, FILE), FILE)).toMatch(/a: b+\n +z: a+/);
  });

  it('is never written as its own reader would refuse it', () => {
    const broken = { ...emptyLock, extra: { lock_version: 1 } };
    expect(refusalOf(() => formatLock(broken, FILE))).toMatchObject({ code: 'E-RUN-003' });
    const large = { ...emptyLock, extra: { x: 'y'.repeat(300_000) } };
    expect(refusalOf(() => formatLock(large, FILE))).toMatchObject({ code: 'E-RUN-003' });
  });
});

describe('a lock that is refused', () => {
  const good = `resolved_version: 1, sha256: {any: ${HASH_A}}`;
  it.each([
    ['no YAML', 'a: [\n', /line 2, column 1/],
    ['not UTF-8', Buffer.from([0x61, 0xff]), /line 1, column 2.*UTF-8/],
    ['empty', '', /mapping/],
    ['a list', '[]\n', /mapping/],
    ['version 1', 'lock_version: 1\nartifacts: []\n', /lock_version is not 2/],
    ['version 3', 'lock_version: 3\nartifacts: []\n', /lock_version is not 2/],
    ['a version in quotes', 'lock_version: "2"\nartifacts: []\n', /lock_version is not 2/],
    ['a version in another spelling', 'lock_version: 2.0\nartifacts: []\n', /lock_version is not 2/],
    ['no version', 'artifacts: []\n', /lock_version/],
    ['no list', 'lock_version: 2\n', /artifacts must be a list/],
    ['a null list', 'lock_version: 2\nartifacts:\n', /artifacts must be a list/],
    ['a mapping for a list', 'lock_version: 2\nartifacts: {}\n', /artifacts must be a list/],
    ['an entry that is text', entry('t'), /artifacts\[0\] must be a mapping/],
    ['no name', entry(`{${good}}`), /name/],
    ['a blank name', entry(`{name: "", ${good}}`), /name is empty/],
    ['a name that climbs', entry(`{name: ../t, ${good}}`), /name/],
    ['a name twice', `${entry(`{name: t, ${good}}`)}  - {name: t, ${good}}\n`, /second time/],
    ['no resolved version', entry(`{name: t, sha256: {any: ${HASH_A}}}`), /resolved_version of 't'/],
    [
      'a blank version',
      entry(`{name: t, resolved_version: " ", sha256: {any: ${HASH_A}}}`),
      /resolved_version/,
    ],
    [
      'a version that climbs',
      entry(`{name: t, resolved_version: ../1, sha256: {any: ${HASH_A}}}`),
      /resolved_version/,
    ],
    ['no digest', entry('{name: t, resolved_version: 1}'), /pins nothing/],
    ['an empty digest', entry('{name: t, resolved_version: 1, sha256: {}}'), /any of 't'/],
    [
      'both kinds',
      entry(`{name: t, resolved_version: 1, sha256: {any: ${HASH_A}, platforms: {a: ${HASH_A}}}}`),
      /both/,
    ],
    ['no platform', entry('{name: t, resolved_version: 1, sha256: {platforms: {}}}'), /pins nothing/],
    [
      'a blank platform',
      entry(`{name: t, resolved_version: 1, sha256: {platforms: {"": ${HASH_A}}}}`),
      /blank platform/,
    ],
    ['a blank digest', entry('{name: t, resolved_version: 1, sha256: {any: ""}}'), /SHA-256/],
    ['a short digest', entry(`{name: t, resolved_version: 1, sha256: {any: ${'a'.repeat(63)}}}`), /SHA-256/],
    [
      'a digest in capitals',
      entry(`{name: t, resolved_version: 1, sha256: {any: ${'A'.repeat(64)}}}`),
      /SHA-256/,
    ],
    [
      'an unknown kind of digest',
      entry(`{name: t, resolved_version: 1, sha256: {any: ${HASH_A}, some: x}}`),
      /not known/,
    ],
    ['an unknown origin', entry(`{name: t, ${good}, origin: me}`), /operator or runtime/],
    ['an origin without value', entry(`{name: t, ${good}, origin: }`), /operator or runtime/],
    ['a runtime pin without session', entry(`{name: t, ${good}, origin: runtime}`), /session/],
    [
      'a runtime pin with a blank session',
      entry(`{name: t, ${good}, origin: runtime, session: ""}`),
      /session/,
    ],
    ['an operator pin with session', entry(`{name: t, ${good}, origin: operator, session: s}`), /session/],
    ['a session without origin', entry(`{name: t, ${good}, session: s}`), /session/],
    ['a duplicate key', entry(`{name: t, name: u, ${good}}`), /twice/],
  ])('%s', (_, text, problem) => {
    expect(refusal(text)).toMatchObject({
      code: 'E-RUN-003',
      file: 'murmur.lock',
      problem: expect.stringMatching(problem),
    });
  });

  it('says how to start over from an older version', () => {
    expect(refusal('lock_version: 1\nartifacts: []\n').remedy).toMatch(/delete/);
  });

  it('is one with any field changed, unless the change is kept', () => {
    const document = parse(TEXT.replace('1.10', '"1.10"')) as Record<string, unknown>;
    let refused = 0;
    for (const mutated of mutations(document)) {
      let reread: unknown;
      try {
        reread = parse(formatLock(parseLock(stringify(mutated), FILE), FILE));
      } catch (error) {
        expect((error as { diagnostic?: { code: string } }).diagnostic?.code).toBe('E-RUN-003');
        refused += 1;
        continue;
      }
      expect(reread).toEqual(withOrigins(mutated));
    }
    expect(refused).toBeGreaterThan(100);
  });
});

/** Every document that differs from one in a single field: dropped, renamed, emptied, or of another kind. */
function mutations(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const replacements = [
    null,
    '',
    ' ',
    'x',
    0,
    2,
    true,
    [],
    {},
    [null],
    { x: 1 },
    HASH_B,
    'operator',
    'runtime',
  ];
  const keys = Object.keys(value);
  const isList = Array.isArray(value);
  const put = (key: string, inner: unknown): unknown =>
    isList ? value.map((item, index) => (String(index) === key ? inner : item)) : { ...value, [key]: inner };
  return keys.flatMap((key) => {
    const current = (value as Record<string, unknown>)[key];
    const { [key]: _, ...others } = value as Record<string, unknown>;
    const dropped = isList ? value.filter((_item, index) => String(index) !== key) : others;
    const moved = isList ? [...value, current] : { ...others, [`${key}_`]: current };
    return [
      dropped,
      moved,
      ...replacements.map((replacement) => put(key, replacement)),
      ...mutations(current).map((inner) => put(key, inner)),
    ];
  });
}

function withOrigins(document: unknown): unknown {
  const { artifacts, ...rest } = document as { artifacts: Record<string, unknown>[] };
  return {
    ...rest,
    artifacts: artifacts.map((item) => ({
      origin: 'operator',
      ...item,
      resolved_version: String(item.resolved_version),
    })),
  };
}

describe('a pin', () => {
  const native = (platform: string, digest: string) => ({ platform, digest });
  const operator = { name: 't', version: '1', by: 'operator' as const };
  const runtime = { ...operator, by: { session: 'ses_2' } };

  it('is added at the end and leaves the others where they are', () => {
    const before = parseLock(TEXT, FILE);
    const after = upsertLock(before, { ...operator, sha256: { any: HASH_A } });
    expect(after.artifacts.slice(0, 2)).toEqual(before.artifacts);
    expect(after.artifacts[2]).toEqual({
      name: 't',
      resolvedVersion: '1',
      sha256: { any: HASH_A },
      origin: 'operator',
      extra: {},
    });
  });

  it('of another platform is merged when version and shape agree', () => {
    const one = upsertLock(emptyLock, { ...operator, sha256: native('linux-x86_64', HASH_A) });
    const two = upsertLock(one, { ...operator, sha256: native('darwin-aarch64', HASH_B) });
    expect(lockEntry(two, 't')?.sha256).toEqual({
      platforms: { 'linux-x86_64': HASH_A, 'darwin-aarch64': HASH_B },
    });
  });

  it.each([
    [
      'another version',
      { ...operator, version: '2', sha256: native('darwin-aarch64', HASH_B) },
      { platforms: { 'darwin-aarch64': HASH_B } },
    ],
    ['one digest for all', { ...operator, sha256: { any: HASH_B } }, { any: HASH_B }],
  ])('of %s replaces every digest', (_, pin, sha256) => {
    const before = upsertLock(emptyLock, { ...operator, sha256: native('linux-x86_64', HASH_A) });
    expect(lockEntry(upsertLock(before, pin), 't')?.sha256).toEqual(sha256);
  });

  it('of a platform replaces one digest for all', () => {
    const before = upsertLock(emptyLock, { ...operator, sha256: { any: HASH_A } });
    expect(lockEntry(upsertLock(before, { ...operator, sha256: native('a', HASH_B) }), 't')?.sha256).toEqual({
      platforms: { a: HASH_B },
    });
  });

  it('by a running capsule is its own only where there was none', () => {
    const fresh = upsertLock(emptyLock, { ...runtime, sha256: { any: HASH_A } });
    expect(lockEntry(fresh, 't')).toMatchObject({ origin: 'runtime', session: 'ses_2' });
    const again = upsertLock(fresh, { ...runtime, by: { session: 'ses_3' }, sha256: { any: HASH_B } });
    expect(lockEntry(again, 't')).toMatchObject({
      origin: 'runtime',
      session: 'ses_2',
      sha256: { any: HASH_B },
    });
    const owned = upsertLock(emptyLock, { ...operator, sha256: { any: HASH_A } });
    expect(lockEntry(upsertLock(owned, { ...runtime, sha256: { any: HASH_A } }), 't')).toMatchObject({
      origin: 'operator',
    });
    expect(lockEntry(upsertLock(owned, { ...runtime, sha256: { any: HASH_A } }), 't')).not.toHaveProperty(
      'session',
    );
  });

  it('by a person adopts one of a running capsule, and keeps unknown keys', () => {
    const text = entry(
      `{name: t, resolved_version: 1, sha256: {any: ${HASH_A}}, origin: runtime, session: s, later: 1}`,
    );
    const adopted = upsertLock(parseLock(text, FILE), { ...operator, sha256: { any: HASH_A } });
    expect(lockEntry(adopted, 't')).toEqual({
      name: 't',
      resolvedVersion: '1',
      sha256: { any: HASH_A },
      origin: 'operator',
      extra: { later: 1 },
    });
  });

  it('is taken out alone', () => {
    const before = parseLock(TEXT, FILE);
    expect(removeFromLock(before, 'some-tool').artifacts).toEqual([before.artifacts[1]]);
    expect(removeFromLock(before, 'nobody')).toBe(before);
  });

  it.each([
    [{ any: HASH_A }, { any: HASH_A }, null],
    [{ any: HASH_A }, { any: HASH_B }, 'digest'],
    [{ any: HASH_A }, native('a', HASH_A), 'shape'],
    [{ platforms: { a: HASH_A } }, { any: HASH_A }, 'shape'],
    [{ platforms: { a: HASH_A } }, native('a', HASH_A), null],
    [{ platforms: { a: HASH_A } }, native('a', HASH_B), 'digest'],
    [{ platforms: { a: HASH_A } }, native('b', HASH_B), null],
    [{ platforms: { a: HASH_A } }, native('constructor', HASH_B), null],
  ] as const)('%j against %j: %j', (sha256, found, conflict) => {
    const pinned: LockEntry = { name: 't', resolvedVersion: '1', sha256, origin: 'operator', extra: {} };
    expect(digestConflict(pinned, found)).toBe(conflict);
  });

  it('written any number of times is the same lock', () => {
    const pins = fc.array(
      fc.record({
        name: fc.constantFrom('a', 'b'),
        version: fc.constantFrom('1', '2'),
        sha256: fc.oneof(
          hash.map((any) => ({ any })),
          fc.record({ platform: fc.constantFrom('x', 'y'), digest: hash }),
        ),
        by: fc.oneof(fc.constant('operator' as const), fc.constant({ session: 'ses_1' })),
      }),
    );
    fc.assert(
      fc.property(pins, (list) => {
        const once = list.reduce(upsertLock, emptyLock);
        const last = list.at(-1);
        expect(last === undefined ? once : upsertLock(once, last)).toEqual(once);
        expect(parseLock(formatLock(once, FILE), FILE)).toEqual(once);
      }),
    );
  });
});
