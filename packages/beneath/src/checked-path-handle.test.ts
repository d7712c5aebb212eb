import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { operations } from '../test/operations.js';
import { conditionOf, scratch, snapshot } from '../test/scratch.js';
import { beneathOf } from './beneath.js';
import { checkedPathHandle } from './checked-path-handle.js';
import { segmentProblem } from './segments.js';

test('the fallback for other systems does the same work and refuses links that are in place', async () => {
  const base = scratch();
  const inside = path.join(base, 'inside');
  fs.mkdirSync(inside);
  fs.mkdirSync(path.join(base, 'outside/x'), { recursive: true });
  fs.symlinkSync(path.join(base, 'outside'), path.join(inside, 'link'));
  const before = snapshot(path.join(base, 'outside'));
  await using root = beneathOf(checkedPathHandle(inside), inside);
  await root.makeDirectory('a/b', { parents: true });
  await root.write('a/b/f', 'one');
  await root.append('a/b/f', 'two');
  expect((await root.read('a/b/f')).toString()).toBe('onetwo');
  expect(await root.measure('.')).toEqual({ bytes: 6, entries: 4 });
  for (const [operation, action] of operations(root, 'link/x')) {
    expect(await conditionOf(action), operation).toMatchObject({
      variant: 'WorkdirPathRefused',
      refused_at: 'link',
    });
  }
  await root.remove('a');
  await root.remove('link');
  expect(fs.readdirSync(inside)).toEqual([]);
  expect(snapshot(path.join(base, 'outside'))).toEqual(before);
});

test('the fallback notices that its directory was exchanged', async () => {
  const base = scratch();
  fs.mkdirSync(path.join(base, 'd/e'), { recursive: true });
  fs.mkdirSync(path.join(base, 'outside'));
  await using root = beneathOf(checkedPathHandle(path.join(base, 'd')), 'd');
  fs.renameSync(path.join(base, 'd'), path.join(base, 'away'));
  fs.symlinkSync(path.join(base, 'outside'), path.join(base, 'd'));
  await expect(root.write('f', '')).rejects.toThrow();
  expect(fs.readdirSync(path.join(base, 'outside'))).toEqual([]);
});

test('Windows gives a backslash and a colon a meaning, so they are refused there and only there', () => {
  for (const name of ['a\\b', 'c:x', '..\\x']) {
    expect(segmentProblem(Buffer.from(name), true)).not.toBeNull();
    expect(segmentProblem(Buffer.from(name), false)).toBeNull();
  }
});
