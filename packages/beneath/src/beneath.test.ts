import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { operations } from '../test/operations.js';
import { conditionOf, scratch } from '../test/scratch.js';
import { openBeneath } from './index.js';

test('write, read, append and stat agree with the disk', async () => {
  const directory = scratch();
  await using root = await openBeneath(directory);
  await root.write('a.txt', 'one\n', { mode: 0o640 });
  await root.append('a.txt', 'two\n');
  await root.append('b.txt', 'new', { mode: 0o600 });
  expect(fs.readFileSync(path.join(directory, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
  expect((await root.read('a.txt')).toString()).toBe('one\ntwo\n');
  expect(await root.stat('a.txt')).toMatchObject({ kind: 'file', sizeBytes: 8, mode: 0o640, nlink: 1 });
  expect(await root.stat('b.txt')).toMatchObject({ mode: 0o600 });
  expect(await root.stat('.')).toMatchObject({ kind: 'directory' });
});

test('a write leaves nothing but the file, and keeps nothing of a longer former content', async () => {
  const directory = scratch();
  await using root = await openBeneath(directory);
  await root.write('a', 'a long content');
  await root.write('a', Buffer.from([0, 255]));
  expect(fs.readdirSync(directory)).toEqual(['a']);
  expect(fs.readFileSync(path.join(directory, 'a'))).toEqual(Buffer.from([0, 255]));
});

test('a write waits for the disk twice, unless nobody needs the file after a crash', async () => {
  const directory = scratch();
  await using root = await openBeneath(directory);
  const sync = vi.spyOn(fs, 'fsync');
  try {
    await root.write('kept', 'one');
    expect(sync).toHaveBeenCalledTimes(2);
    await root.write('passing', 'one', { durable: false });
    await root.write('passing', 'two', { mode: 0o600, durable: false });
    expect(sync).toHaveBeenCalledTimes(2);
  } finally {
    sync.mockRestore();
  }
  expect(fs.readdirSync(directory)).toEqual(['kept', 'passing']);
  expect(fs.readFileSync(path.join(directory, 'passing'), 'utf8')).toBe('two');
  expect((await root.stat('passing'))?.mode).toBe(0o600);
});

test('modes are exact whatever the umask', async () => {
  const directory = scratch();
  const before = process.umask(0o077);
  try {
    await using root = await openBeneath(path.join(directory, 'made/here'), { create: true, mode: 0o751 });
    await root.makeDirectory('x/y', { parents: true, mode: 0o755 });
    await root.write('x/f', '', { mode: 0o666 });
    expect((await root.stat('x'))?.mode).toBe(0o755);
    expect((await root.stat('x/y'))?.mode).toBe(0o755);
    expect((await root.stat('x/f'))?.mode).toBe(0o666);
    expect(fs.statSync(path.join(directory, 'made')).mode & 0o777).toBe(0o751);
  } finally {
    process.umask(before);
  }
});

test('makeDirectory refuses an existing name unless parents are asked for', async () => {
  await using root = await openBeneath(scratch());
  await root.makeDirectory('d');
  expect(await conditionOf(() => root.makeDirectory('d'))).toMatchObject({ code: 'E-IO-003' });
  await root.makeDirectory('d', { parents: true });
  await root.write('f', '');
  expect(await conditionOf(() => root.makeDirectory('f/x', { parents: true }))).toMatchObject({
    variant: 'WorkdirPathRefused',
    refused_at: 'f',
  });
});

test('missing things are null, nothing, or E-IO-001', async () => {
  const directory = scratch();
  await using root = await openBeneath(directory);
  expect(await root.stat('no')).toBeNull();
  expect(await root.stat('no/deeper')).toBeNull();
  await root.remove('no');
  await root.remove('no/deeper');
  expect(await conditionOf(() => root.read('no'))).toMatchObject({
    code: 'E-IO-001',
    path: path.join(directory, 'no'),
  });
  expect(await conditionOf(() => root.write('no/deeper', ''))).toMatchObject({ code: 'E-IO-001' });
  expect(await conditionOf(() => root.list('no'))).toMatchObject({ code: 'E-IO-001' });
  expect(await conditionOf(() => openBeneath(path.join(directory, 'no')))).toMatchObject({
    code: 'E-IO-001',
  });
});

test('read stops at its ceiling: exactly the limit passes, one byte more does not', async () => {
  await using root = await openBeneath(scratch());
  await root.write('f', Buffer.alloc(1000));
  expect((await root.read('f', { maxBytes: 1000 })).length).toBe(1000);
  expect(await conditionOf(() => root.read('f', { maxBytes: 999 }))).toMatchObject({ code: 'E-IO-003' });
});

test.runIf(process.platform === 'linux')('a file that reports no size is read to its end', async () => {
  await using root = await openBeneath('/proc/self');
  expect((await root.read('status')).toString()).toContain('VmRSS');
  expect(await conditionOf(() => root.read('status', { maxBytes: 10 }))).toMatchObject({ code: 'E-IO-003' });
});

test('list is sorted by bytes; walk gives every entry once; measure sums them', async () => {
  await using root = await openBeneath(scratch());
  for (const name of ['b', 'a', 'Z', '-rf', '..foo', 'new\nline']) await root.write(name, name);
  await root.makeDirectory('d/e', { parents: true });
  await root.write('d/e/f', 'deep');
  expect((await root.list('.')).map(({ name }) => name)).toEqual([
    '-rf',
    '..foo',
    'Z',
    'a',
    'b',
    'd',
    'new\nline',
  ]);
  const paths: string[] = [];
  for await (const { path: seen, pathBytes } of root.walk('.')) {
    paths.push(seen);
    expect(Buffer.from(pathBytes()).toString()).toBe(seen);
  }
  expect(paths).toEqual(['-rf', '..foo', 'Z', 'a', 'b', 'd', 'new\nline', 'd/e', 'd/e/f']);
  expect(await root.measure('.')).toEqual({ bytes: 1 + 1 + 1 + 3 + 5 + 8 + 4, entries: 9 });
  expect(await root.measure('d')).toEqual({ bytes: 4, entries: 2 });
});

test('walk honours its depth and its number of entries', async () => {
  await using root = await openBeneath(scratch());
  await root.makeDirectory('a/b/c', { parents: true });
  const seen: string[] = [];
  for await (const step of root.walk('.', { maxDepth: 2 })) seen.push(step.path);
  expect(seen).toEqual(['a', 'a/b']);
  const all = async () => {
    for await (const _step of root.walk('.', { maxEntries: 2 }));
  };
  expect(await conditionOf(all)).toMatchObject({ code: 'E-IO-003' });
});

test('remove takes files and whole trees, also unreadable ones, and nothing else', async () => {
  const directory = scratch();
  await using root = await openBeneath(directory);
  await root.makeDirectory('t/closed/in', { parents: true });
  await root.write('t/closed/in/f', '');
  await root.write('t/g', '');
  await root.write('stays', '');
  fs.chmodSync(path.join(directory, 't/closed'), 0);
  await root.remove('t');
  expect(fs.readdirSync(directory)).toEqual(['stays']);
  await root.remove('stays');
  expect(fs.readdirSync(directory)).toEqual([]);
});

test('rename moves files and directories and replaces files', async () => {
  const directory = scratch();
  await using root = await openBeneath(directory);
  await root.write('a', 'new');
  await root.makeDirectory('d');
  await root.write('d/b', 'old');
  await root.rename('a', 'd/b');
  await root.rename('d', 'e');
  expect(fs.readFileSync(path.join(directory, 'e/b'), 'utf8')).toBe('new');
  expect(await root.stat('a')).toBeNull();
});

test('a directory opened below is a root of its own and outlives its parent', async () => {
  const root = await openBeneath(scratch());
  await root.makeDirectory('d');
  await using below = await root.open('d');
  await using same = await root.open('.');
  await root[Symbol.asyncDispose]();
  await below.write('f', 'x');
  expect((await same.read('d/f')).toString()).toBe('x');
  await expect(root.read('d/f')).rejects.toThrow('already closed');
});

test.runIf(process.platform === 'linux')(
  'names that are not UTF-8 can be seen, read and removed',
  async () => {
    const directory = scratch();
    const raw = Buffer.from([0x66, 0xff, 0xfe, 0x0a]);
    fs.writeFileSync(Buffer.concat([Buffer.from(`${directory}/`), raw]), 'odd');
    await using root = await openBeneath(directory);
    const [entry] = await root.list('.');
    expect(Buffer.from(entry?.nameBytes ?? [])).toEqual(raw);
    expect((await root.read(raw)).toString()).toBe('odd');
    for await (const step of root.walk('.')) expect(Buffer.from(step.pathBytes())).toEqual(raw);
    await root.write(raw, 'changed');
    expect((await root.read(raw)).toString()).toBe('changed');
    await root.remove(raw);
    expect(fs.readdirSync(directory)).toEqual([]);
  },
);

test.each(['', '/etc/passwd', '..', '../x', 'a/../b', 'a/..', './a', 'a/.', 'a//b', 'a/', 'a\0b'])(
  '%j is refused by every operation',
  async (relative) => {
    await using root = await openBeneath(scratch());
    await root.makeDirectory('a');
    await root.write('ok', '');
    for (const [operation, action] of operations(root, relative)) {
      expect(await conditionOf(action), operation).toMatchObject({ variant: 'WorkdirPathRefused' });
    }
    expect((await root.list('.')).map(({ name }) => name)).toEqual(['a', 'ok']);
  },
);

test('`.` names the directory for looking, and is refused for changing', async () => {
  await using root = await openBeneath(scratch());
  for (const action of [
    () => root.remove('.'),
    () => root.write('.', ''),
    () => root.makeDirectory('.', { parents: true }),
    () => root.rename('.', 'x'),
  ]) {
    expect(await conditionOf(action)).toMatchObject({ variant: 'WorkdirPathRefused' });
  }
});

test('any text at all either stays inside or is refused', async () => {
  const outside = scratch();
  const inside = path.join(outside, 'inside');
  await using root = await openBeneath(inside, { create: true });
  const segment = fc.oneof(fc.constantFrom('.', '..', '', 'a', '...', '..a'), fc.string({ maxLength: 8 }));
  await fc.assert(
    fc.asyncProperty(fc.array(segment, { maxLength: 4 }), async (segments) => {
      const relative = segments.join('/');
      await root.makeDirectory(relative, { parents: true }).catch(() => {});
      await root.write(`${relative}/f`, 'x').catch(() => {});
      expect(fs.readdirSync(outside)).toEqual(['inside']);
    }),
    { numRuns: 200 },
  );
});

test.runIf(process.platform === 'linux')(
  'no operation leaves a descriptor open, whatever its outcome',
  async () => {
    const directory = scratch();
    const count = () => fs.readdirSync('/proc/self/fd').length;
    fs.symlinkSync('/etc', path.join(directory, 'link'));
    fs.mkdirSync(path.join(directory, 'd/e/f'), { recursive: true });
    fs.writeFileSync(path.join(directory, 'd/file'), 'x');
    const once = async () => {
      await using root = await openBeneath(directory);
      for (const relative of [
        'link',
        'link/passwd',
        'd',
        'd/file',
        'd/file/x',
        'd/new',
        'no/no',
        'a\0',
        '..',
      ]) {
        for (const [, action] of operations(root, relative)) await action().catch(() => {});
      }
      for await (const _step of root.walk('.')) break;
      fs.rmSync(directory, { recursive: true });
      fs.mkdirSync(path.join(directory, 'd/e/f'), { recursive: true });
      fs.writeFileSync(path.join(directory, 'd/file'), 'x');
      fs.symlinkSync('/etc', path.join(directory, 'link'));
    };
    await once();
    const before = count();
    for (let round = 0; round < 20; round += 1) await once();
    expect(count()).toBe(before);
  },
);
