import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { catalog, catalogJson } from './catalog.js';
import { allErrorEntries, allWarningEntries } from './diagnose.js';
import { meaningOf } from './meanings.js';
import { unusedNumbers } from './numbers.js';

function golden<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../test/${name}`, import.meta.url), 'utf8')) as T;
}

interface GoldenCondition {
  readonly variant: string;
  readonly code: string;
  readonly fields: readonly { readonly name: string; readonly type: string }[];
  readonly stage: string;
}

const baseConditions = golden<GoldenCondition[]>('conditions.golden.json');
const codes =
  golden<Record<'live' | 'provisional' | 'retired' | 'gap' | 'reserved', string[]>>('codes.golden.json');

/** Conditions that joined after the base list. */
const LATER = [
  'DriverStreamInterfaceNotServed',
  'SpawnerLifelineUnreadable',
  'FormationIdUnreadable',
  'FormationPeersUnreadable',
  'FormationChannelUnreadable',
  'FormationLifelineUnreadable',
  'HarnessNeedsNotAllowed',
  'ConnectionRefused',
  'FeatureNotServed',
  'RuntimeDirUnavailable',
  'RecordsDirUnavailable',
  'HomeUnusable',
  'WorkdirPathRefused',
  'WorkdirIdentityMismatch',
];

describe('the base conditions', () => {
  test('there are 72', () => {
    expect(baseConditions).toHaveLength(72);
  });

  test.each(baseConditions)('$variant has its code, fields and stage', (condition) => {
    const rows = catalog.filter((entry) => entry.variant === condition.variant);
    expect(
      rows.map(({ variant, code, fields, stage }) => ({ variant, code, fields: [...fields], stage })),
    ).toEqual([condition]);
  });

  test('no other variant exists but the later ones', () => {
    const base = new Set(baseConditions.map((condition) => condition.variant));
    const others = catalog.flatMap((entry) =>
      entry.variant && !base.has(entry.variant) ? [entry.variant] : [],
    );
    expect(others.sort()).toEqual([...LATER].sort());
  });
});

describe('codes', () => {
  const used = [...new Set(catalog.map((entry) => entry.code))];

  test('every code whose meaning is known has an entry, and nothing else has', () => {
    expect(used).toEqual([...codes.live, ...codes.provisional].sort());
  });

  test('provisional numbers and no others are marked', () => {
    const marked = catalog.filter((entry) => entry.provisional).map((entry) => entry.code);
    expect(marked).toEqual(codes.provisional);
  });

  test('each is well formed and of a known family', () => {
    const families =
      /^(?:E-(?:BLD|CAP|CFG|CNV|DEPLOY|EVAL|IO|MAN|NEW|REG|ROS|RUN|TOP|TRC)|W-(?:BLD|DEPLOY|REG|ROS|RUN|SEC))-\d{3}$/;
    for (const code of used) expect(code).toMatch(families);
    for (const entry of catalog) {
      expect(entry.code.startsWith(entry.severity === 'error' ? 'E-' : 'W-')).toBe(true);
    }
  });

  test.each(['retired', 'gap', 'reserved'] as const)('%s numbers are listed and carry no entry', (state) => {
    const listed = unusedNumbers.filter((number) => number.state === state).map((number) => number.code);
    expect(listed.sort()).toEqual(codes[state]);
    for (const code of listed) expect(used).not.toContain(code);
  });

  test('a condition is named once: by its variant, or by a code that no other nameless one has', () => {
    const names = [
      ...allErrorEntries.map((e) => e.variant ?? e.code),
      ...allWarningEntries.map((e) => e.code),
    ];
    expect(new Set(names).size).toBe(names.length);
  });

  test('a code that several conditions share has a meaning of its own', () => {
    for (const code of used) expect(meaningOf(code)).toMatch(/^\S.*\.$/);
  });
});

describe.each([...allErrorEntries, ...allWarningEntries])('the texts of $code $variant', (definition) => {
  const entry = catalog.find(
    (candidate) =>
      candidate.code === definition.code &&
      candidate.variant === ('variant' in definition ? definition.variant : null),
  );

  test('every field is shown or deliberately withheld', () => {
    const shown = `${entry?.message}\n${entry?.remedy}`;
    const invisible = Object.entries(definition.fields)
      .filter(([name, field]) => field.type !== 'boolean' && !shown.includes(`<${name}`))
      .map(([name]) => name);
    const withheld = (definition.unshown ?? []).filter((name) => definition.fields[name]?.type !== 'boolean');
    expect(invisible).toEqual(withheld);
  });

  test('follow the style of the catalog', () => {
    expect(entry?.message).toMatch(/^[^A-Z]|^(?:MURMUR_|HTTP)/);
    expect(entry?.message).not.toMatch(/[.\s]$/);
    expect(entry?.remedy ?? '').not.toMatch(/\.$/);
    expect(entry?.remedy).not.toBe('');
    expect(entry?.summary).toMatch(/\.$/);
    expect(entry?.explanation).toMatch(/\.$/);
    expect(`${entry?.message}${entry?.remedy}`).not.toMatch(/undefined|NaN|\[object/);
  });
});

test('the JSON form has one row per condition with the six columns', () => {
  const rows = catalogJson();
  expect(rows).toHaveLength(allErrorEntries.length + allWarningEntries.length);
  for (const row of rows) {
    expect(Object.keys(row)).toEqual(['variant', 'code', 'stage', 'fields', 'message', 'remedy']);
  }
  expect(JSON.parse(JSON.stringify(rows))).toEqual(rows);
});
