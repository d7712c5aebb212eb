import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSessionMap } from './session-map.js';

let top: string;
let root: string;
let problems: string[];
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'murmur-sessions-'));
  root = join(top, 'conversations');
  problems = [];
});
afterEach(() => {
  chmodSync(top, 0o700);
  rmSync(top, { recursive: true, force: true });
});

const open = (conversationsRoot: string | null = root, record = 'capsule') =>
  createSessionMap({ conversationsRoot, record, onProblem: (reason) => problems.push(reason) });
const asked = (contextId: string | null, continues = true, carriedId: string | null = null) => ({
  contextId,
  continues,
  carriedId,
  mintId: () => 'fresh',
});
const by = (nowMs: number) => ({ harness: 'codex', driver: 'murmur-driver-codex', nowMs });
const fileOf = (contextId: string): string => join(root, 'capsule', contextId, 'harness-session.json');
const mode = (path: string): number => statSync(path).mode & 0o777;

describe('planning', () => {
  test.each([
    [
      'a carried session is resumed, remembered where the context goes on',
      asked('ctx', true, 'carried'),
      'resume',
      'carried',
      true,
    ],
    [
      'a carried session is resumed elsewhere too',
      asked('ctx', false, 'carried'),
      'resume',
      'carried',
      false,
    ],
    ['and without a context', asked(null, true, 'carried'), 'resume', 'carried', false],
    ['no context: new, not remembered', asked(null), 'new', 'fresh', false],
    ['a context that does not go on: new, not remembered', asked('ctx', false), 'new', 'fresh', false],
    ['a context with an entry: resumed', asked('ctx'), 'resume', 'stored', true],
    ['a context without one: new', asked('other'), 'new', 'fresh', true],
  ] as const)('%s', async (_name, request, mode, id, remember) => {
    const map = open();
    await map.commit('ctx', 'stored', by(1));
    expect(await map.plan(request)).toEqual({ mode, id, remember });
    expect(await open().plan(request)).toEqual({ mode, id, remember });
  });
});

describe('the file', () => {
  test('holds the entry, private, and keeps when it was made', async () => {
    const map = open();
    await map.commit('ctx', 'one', by(1000));
    await open().commit('ctx', 'two', by(2000));
    expect(JSON.parse(readFileSync(fileOf('ctx'), 'utf8'))).toEqual({
      type: 'murmur.harness-session',
      session_id: 'two',
      harness: 'codex',
      driver: 'murmur-driver-codex',
      created_ms: 1000,
      updated_ms: 2000,
    });
    expect(mode(fileOf('ctx'))).toBe(0o600);
    for (let path = dirname(fileOf('ctx')); path !== top; path = dirname(path))
      expect(mode(path)).toBe(0o700);
    expect(map.pathFor('ctx')).toBe(fileOf('ctx'));
    expect(problems).toEqual([]);
  });

  test.each([
    ['text that is no JSON', '{'],
    ['another type', '{"type":"murmur.other","session_id":"x"}'],
    ['no id', '{"type":"murmur.harness-session"}'],
    ['an empty id', '{"type":"murmur.harness-session","session_id":""}'],
    ['an id of another type', '{"type":"murmur.harness-session","session_id":7}'],
    ['a list', '[]'],
    ['null', 'null'],
    ['nothing', ''],
  ])('with %s is no entry', async (_name, text) => {
    mkdirSync(dirname(fileOf('ctx')), { recursive: true });
    writeFileSync(fileOf('ctx'), text);
    expect(await open().plan(asked('ctx'))).toEqual({ mode: 'new', id: 'fresh', remember: true });
  });

  test('that is a link is no entry, and writing does not follow it', async () => {
    const elsewhere = join(top, 'elsewhere.json');
    writeFileSync(elsewhere, '{"type":"murmur.harness-session","session_id":"planted"}');
    mkdirSync(dirname(fileOf('ctx')), { recursive: true });
    symlinkSync(elsewhere, fileOf('ctx'));
    const map = open();
    expect(await map.plan(asked('ctx'))).toMatchObject({ mode: 'new' });
    await map.commit('ctx', 'mine', by(1));
    expect(readFileSync(elsewhere, 'utf8')).toContain('planted');
    expect(problems).toHaveLength(1);
  });

  test('below a linked directory is neither read nor written', async () => {
    mkdirSync(join(top, 'outside'));
    writeFileSync(
      join(top, 'outside', 'harness-session.json'),
      '{"type":"murmur.harness-session","session_id":"planted"}',
    );
    mkdirSync(join(root, 'capsule'), { recursive: true });
    symlinkSync(join(top, 'outside'), join(root, 'capsule', 'ctx'));
    const map = open();
    expect(await map.plan(asked('ctx'))).toMatchObject({ mode: 'new' });
    await map.commit('ctx', 'mine', by(1));
    expect(readFileSync(join(top, 'outside', 'harness-session.json'), 'utf8')).toContain('planted');
    expect(problems).toHaveLength(1);
  });

  test('what is in memory wins over it', async () => {
    const map = open();
    await map.commit('ctx', 'mine', by(1));
    await open().commit('ctx', 'of another process', by(2));
    expect(await map.plan(asked('ctx'))).toMatchObject({ id: 'mine' });
  });

  test('that cannot be written is reported once and survived', async () => {
    writeFileSync(root, 'in the way');
    const map = open();
    await map.commit('a', 'one', by(1));
    await map.commit('b', 'two', by(1));
    expect(problems).toHaveLength(1);
    expect(await map.plan(asked('a'))).toMatchObject({ mode: 'resume', id: 'one' });
  });
});

describe('ids that are no file names', () => {
  test.each(['.', '..', '.hidden', 'a/b', 'a\\b', 'a\0b', '', '../../etc', 'x'.repeat(256)])(
    '%j is kept in memory only',
    async (id) => {
      const map = open();
      await map.commit(id, 'one', by(1));
      expect(map.pathFor(id)).toBeNull();
      expect(await map.plan(asked(id))).toMatchObject({ mode: 'resume', id: 'one' });
      expect(await open().plan(asked(id))).toMatchObject({ mode: 'new' });
      expect(problems).toEqual([]);
    },
  );

  test('a record of that kind keeps everything in memory', async () => {
    const map = open(root, '../evil');
    await map.commit('ctx', 'one', by(1));
    expect(map.pathFor('ctx')).toBeNull();
    expect(await map.plan(asked('ctx'))).toMatchObject({ id: 'one' });
  });
});

describe('forgetting', () => {
  test('drops memory and file and says what was dropped', async () => {
    const map = open();
    await map.commit('ctx', 'one', by(1));
    expect(await map.forget('ctx')).toBe('one');
    expect(await map.forget('ctx')).toBeNull();
    expect(await map.plan(asked('ctx'))).toMatchObject({ mode: 'new' });
    expect(await open().plan(asked('ctx'))).toMatchObject({ mode: 'new' });
    await map.commit('ctx', 'two', by(9));
    expect(JSON.parse(readFileSync(fileOf('ctx'), 'utf8'))).toMatchObject({ created_ms: 9 });
  });

  test('drops an entry that an earlier process left, and has nothing to drop otherwise', async () => {
    await open().commit('ctx', 'old', by(1));
    expect(await open().forget('ctx')).toBe('old');
    expect(await open().forget('never')).toBeNull();
    expect(await open(null).forget('ctx')).toBeNull();
  });
});

test('without a root nothing touches the disk', async () => {
  const map = open(null);
  await map.commit('ctx', 'one', by(1));
  expect(map.pathFor('ctx')).toBeNull();
  expect(await map.plan(asked('ctx'))).toMatchObject({ mode: 'resume', id: 'one' });
  expect(() => statSync(root)).toThrow();
});

test('accesses take turns: a plan sees the commit asked for before it', async () => {
  const map = open();
  const [, plan] = await Promise.all([map.commit('ctx', 'one', by(1)), map.plan(asked('ctx'))]);
  expect(plan).toMatchObject({ id: 'one' });
});
