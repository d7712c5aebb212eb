import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { scratch } from '../test/scratch.js';
import { openBeneath, sweepTemporary } from './index.js';
import { isLeftover, temporaryName } from './temporary-names.js';

const writer = fileURLToPath(new URL('../test/write-and-stop.mjs', import.meta.url));

test('a writer killed before its rename leaves the old file and one temporary, which a sweep removes', async () => {
  const directory = scratch();
  await using root = await openBeneath(directory);
  await root.write('file', 'old');
  const child = spawn(process.execPath, [writer, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  expect(await sweepTemporary(root)).toEqual([]);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(fs.readFileSync(path.join(directory, 'file'), 'utf8')).toBe('old');
  expect(fs.readdirSync(directory).length).toBe(2);
  expect((await sweepTemporary(root, '.')).length).toBe(1);
  expect(fs.readdirSync(directory)).toEqual(['file']);
});

test('only names of our own making whose writer is gone are swept', () => {
  expect(isLeftover(temporaryName().toString())).toBe(false);
  expect(isLeftover('.murmur-1-000000000000000000000000.tmp')).toBe(false);
  expect(isLeftover('.murmur-4194999-000000000000000000000000.tmp')).toBe(true);
  for (const name of ['a.tmp', '.murmur-4194999-0.tmp', '.murmur-x-000000000000000000000000.tmp']) {
    expect(isLeftover(name)).toBe(false);
  }
});
