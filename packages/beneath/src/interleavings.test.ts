import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { operations } from '../test/operations.js';
import { scratch, snapshot } from '../test/scratch.js';
import { openBeneath } from './index.js';

/** Every call through which the package touches the disk. */
const calls = [
  'openSync',
  'fstatSync',
  'statSync',
  'lstatSync',
  'mkdirSync',
  'chmodSync',
  'fchmodSync',
  'unlinkSync',
  'rmdirSync',
  'rmSync',
  'renameSync',
  'read',
  'write',
  'fsync',
  'closeSync',
] as const;

afterEach(() => vi.restoreAllMocks());

/** Runs `attack` right before the `nth` call to the disk; returns how many calls there were. */
function attackBefore(nth: number, attack: () => void): () => number {
  let count = 0;
  let attacking = false;
  for (const call of calls) {
    const real = fs[call] as (...values: unknown[]) => unknown;
    vi.spyOn(fs, call).mockImplementation(((...values: unknown[]) => {
      if (!attacking) {
        count += 1;
        if (count === nth) {
          attacking = true;
          attack();
          attacking = false;
        }
      }
      return Reflect.apply(real, fs, values);
    }) as never);
  }
  return () => {
    vi.restoreAllMocks();
    return count;
  };
}

/** The tree under attack, beside the one that must stay as it is. Both have the same names in them. */
function twoTrees() {
  const base = scratch();
  const inside = path.join(base, 'inside');
  const outside = path.join(base, 'outside');
  for (const [root, content] of [
    [path.join(inside, 'target'), 'inside'],
    [outside, 'outside'],
  ] as const) {
    fs.mkdirSync(path.join(root, 'inner/sub'), { recursive: true });
    fs.writeFileSync(path.join(root, 'inner/file'), content);
    fs.writeFileSync(path.join(root, 'inner/sub/file'), content);
  }
  fs.writeFileSync(path.join(inside, 'ok'), 'inside');
  return { base, inside, outside };
}

const attacks: [string, string, string][] = [
  ['the first directory', 'target', ''],
  ['the second directory', 'target/inner', 'inner'],
  ['a directory below', 'target/inner/sub', 'inner/sub'],
  ['a file', 'target/inner/file', 'inner/file'],
];

for (const [what, attacked, replacement] of attacks) {
  test(`${what} exchanged for a link before any single call of any operation changes nothing outside`, async () => {
    for (const relative of ['target', 'target/inner', 'target/inner/file', 'target/inner/new']) {
      for (let index = 0; index < 13; index += 1) {
        for (let nth = 1, total = 1; nth <= total; nth += 1) {
          const { inside, outside } = twoTrees();
          const victim = path.join(inside, attacked);
          const root = await openBeneath(inside);
          const [operation, action] = operations(root, relative)[index] ?? [];
          if (action === undefined) throw new Error('fewer operations than the test expects');
          const before = snapshot(outside);
          const stop = attackBefore(nth, () => {
            if (!fs.lstatSync(victim, { throwIfNoEntry: false })) return;
            fs.renameSync(victim, path.join(inside, 'away'));
            fs.symlinkSync(path.join(outside, replacement), victim);
          });
          const result = await action().catch(() => null);
          total = stop();
          await root[Symbol.asyncDispose]();
          expect(snapshot(outside), `${operation} ${relative}, call ${nth}`).toEqual(before);
          if (Buffer.isBuffer(result)) expect(result.toString()).toBe('inside');
          if (nth > 500) throw new Error('an operation that never ends');
        }
      }
    }
  });
}
