import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { operations } from '../test/operations.js';
import { conditionOf, scratch, snapshot } from '../test/scratch.js';
import { openBeneath } from './index.js';

const swapper = fileURLToPath(new URL('../test/swap-for-link.mjs', import.meta.url));
const running: ChildProcess[] = [];

afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

/** A tree to attack from (`inside`) and one that must not change (`outside`). */
function twoTrees(): { inside: string; outside: string } {
  const base = scratch();
  const inside = path.join(base, 'inside');
  const outside = path.join(base, 'outside');
  fs.mkdirSync(path.join(inside, 'one/two/three'), { recursive: true });
  fs.mkdirSync(path.join(outside, 'two/three'), { recursive: true });
  fs.mkdirSync(path.join(outside, 'inner'));
  fs.writeFileSync(path.join(inside, 'ok'), 'inside');
  fs.writeFileSync(path.join(outside, 'secret'), 'outside');
  fs.writeFileSync(path.join(outside, 'inner/file'), 'outside');
  fs.writeFileSync(path.join(outside, 'two/three/secret'), 'outside');
  return { inside, outside };
}

const planted: [string, string, string][] = [
  ['one', 'one/two/three/secret', ''],
  ['one/two', 'one/two/three/secret', 'two'],
  ['one/two/three', 'one/two/three/secret', 'two/three'],
];
for (const [segment, relative, target] of planted) {
  test(`a link planted at ${segment} is refused by every operation below it`, async () => {
    const { inside, outside } = twoTrees();
    fs.rmSync(path.join(inside, segment), { recursive: true });
    fs.symlinkSync(path.join(outside, target), path.join(inside, segment));
    const before = snapshot(outside);
    await using root = await openBeneath(inside);
    for (const [operation, action] of operations(root, relative)) {
      expect(await conditionOf(action), operation).toMatchObject({
        variant: 'WorkdirPathRefused',
        refused_at: segment,
        reason: 'it is a symbolic link',
      });
    }
    expect(snapshot(outside)).toEqual(before);
  });
}

test.each([
  ['a file outside', 'secret'],
  ['a directory outside', 'two'],
  ['nothing', 'missing'],
])('a link to %s as the last segment is never followed', async (_what, target) => {
  const { inside, outside } = twoTrees();
  const link = path.join(inside, 'link');
  fs.symlinkSync(path.join(outside, target), link);
  const before = snapshot(outside);
  await using root = await openBeneath(inside);
  expect(await root.stat('link')).toMatchObject({ kind: 'link' });
  for (const [operation, action] of operations(root, 'link')) {
    if (operation === 'stat' || operation === 'remove') continue;
    const condition = await conditionOf(action);
    const code = condition.variant ?? condition.code;
    // A name that is taken is a plain failure where only a new one would do.
    expect([operation, code]).toEqual([
      operation,
      operation === 'makeDirectory' ? code : 'WorkdirPathRefused',
    ]);
  }
  await root.remove('link');
  expect(fs.existsSync(link)).toBe(false);
  expect(snapshot(outside)).toEqual(before);
});

test('links inside a tree are reported by a walk, not entered, and removed as links', async () => {
  const { inside, outside } = twoTrees();
  fs.symlinkSync(outside, path.join(inside, 'one/escape'));
  fs.symlinkSync('..', path.join(inside, 'one/up'));
  const before = snapshot(outside);
  await using root = await openBeneath(inside);
  const seen: string[] = [];
  for await (const step of root.walk('.')) seen.push(`${step.path} ${step.entry.kind}`);
  expect(seen).toEqual(
    [
      'ok file',
      'one directory',
      'one/escape link',
      'one/two directory',
      'one/up link',
      'one/two/three directory',
    ].sort((a, b) => seen.indexOf(a) - seen.indexOf(b)),
  );
  await root.remove('one');
  expect(fs.readdirSync(inside)).toEqual(['ok']);
  expect(snapshot(outside)).toEqual(before);
});

test('FIFOs and sockets are refused without being opened', async () => {
  const { inside } = twoTrees();
  execFileSync('sh', ['-c', 'mkfifo "$0"', path.join(inside, 'fifo')]);
  const server = net.createServer().listen(path.join(inside, 'socket'));
  await once(server, 'listening');
  await using root = await openBeneath(inside);
  for (const name of ['fifo', 'socket']) {
    for (const [operation, action] of operations(root, name)) {
      if (operation === 'stat' || operation === 'remove' || operation === 'makeDirectory') continue;
      expect(await conditionOf(action), `${operation} ${name}`).toMatchObject({
        variant: 'WorkdirPathRefused',
      });
    }
    await root.remove(name);
  }
  server.close();
  expect(fs.readdirSync(inside)).toEqual(['ok', 'one']);
});

test('devices are refused without being opened', async () => {
  await using root = await openBeneath('/dev');
  expect(await root.stat('null')).toMatchObject({ kind: 'other' });
  for (const action of [() => root.read('null'), () => root.append('null', 'x'), () => root.list('null')]) {
    expect(await conditionOf(action)).toMatchObject({ variant: 'WorkdirPathRefused' });
  }
});

test('a file with another hard link is not appended to, and a write leaves the other name alone', async () => {
  const { inside, outside } = twoTrees();
  fs.linkSync(path.join(outside, 'secret'), path.join(inside, 'hard'));
  await using root = await openBeneath(inside);
  expect(await root.stat('hard')).toMatchObject({ nlink: 2 });
  expect(await conditionOf(() => root.append('hard', 'x'))).toMatchObject({
    variant: 'WorkdirPathRefused',
    reason: 'it has another hard link',
  });
  await root.write('hard', 'mine');
  expect(fs.readFileSync(path.join(outside, 'secret'), 'utf8')).toBe('outside');
});

test('10,000 levels with side branches are walked, measured and removed', async () => {
  const { inside } = twoTrees();
  // Made by a process that moves down with it: no path reaches that deep. A sibling after the way down at
  // every twentieth level, so that the walk has to come back for it.
  const dig = `const fs = require('fs');
    fs.mkdirSync('deep');
    process.chdir('deep');
    for (let level = 0; level < 10000; level += 1) {
      if (level % 20 === 0) fs.mkdirSync('z');
      fs.mkdirSync('n');
      process.chdir('n');
    }
    fs.writeFileSync('bottom', '12345');`;
  execFileSync(process.execPath, ['-e', dig], { cwd: inside });
  await using root = await openBeneath(inside);
  const descriptors = () => fs.readdirSync('/proc/self/fd').length;
  const before = process.platform === 'linux' ? descriptors() : 0;
  expect(await root.measure('deep')).toEqual({ bytes: 5, entries: 10_000 + 500 + 1 });
  await root.remove('deep');
  if (process.platform === 'linux') expect(descriptors()).toBe(before);
  expect(fs.readdirSync(inside)).toEqual(['ok', 'one']);
});

/** Starts exchanging `inside/target` for a link to `outside`. */
async function swapping(inside: string, outside: string): Promise<string> {
  const target = path.join(inside, 'target');
  fs.mkdirSync(path.join(target, 'inner'), { recursive: true });
  fs.writeFileSync(path.join(target, 'inner/file'), 'inside');
  const child = spawn(process.execPath, [swapper, target, outside], { stdio: ['ignore', 'pipe', 'inherit'] });
  running.push(child);
  await once(child.stdout, 'data');
  return target;
}

test('a directory exchanged for a link under reads, writes and walks never leads outside', async () => {
  const { inside, outside } = twoTrees();
  await swapping(inside, outside);
  const before = snapshot(outside);
  await using root = await openBeneath(inside);
  let succeeded = 0;
  let refused = 0;
  for (let round = 0; round < 3000 || succeeded === 0 || refused === 0; round += 1) {
    try {
      if (round % 4 === 0) expect((await root.read('target/inner/file')).toString()).not.toBe('outside');
      else if (round % 4 === 1) await root.write('target/planted', 'x');
      else if (round % 4 === 2) await root.append('target/inner/file', 'x');
      else {
        for await (const step of root.walk('.')) expect(step.path).not.toContain('secret');
      }
      succeeded += 1;
    } catch (error) {
      if (error instanceof Error && error.name === 'AssertionError') throw error;
      refused += 1;
    }
  }
  expect(snapshot(outside)).toEqual(before);
});

test('a directory exchanged for a link under a removal costs nothing outside', async () => {
  const { inside, outside } = twoTrees();
  await swapping(inside, outside);
  const before = snapshot(outside);
  await using root = await openBeneath(inside);
  for (let round = 0; round < 1500; round += 1) {
    // The swapper rebuilds the tree as fast as it vanishes, so a removal may well give up.
    await root.remove(round % 3 === 0 ? 'target/inner' : 'target').catch(() => {});
    if (round % 50 === 0) expect(snapshot(outside)).toEqual(before);
  }
  expect(snapshot(outside)).toEqual(before);
});
