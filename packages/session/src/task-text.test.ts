import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openBeneath } from '@murmur/beneath';
import { beforeEach, expect, test } from 'vitest';
import { taskFromFlag, taskFromWorkdir } from './task-text.js';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'task-'));
  return () => rmSync(directory, { recursive: true });
});

test('--task is the content of a file that exists, else the text itself', async () => {
  writeFileSync(path.join(directory, 'todo.md'), 'from the file\n');
  expect(await taskFromFlag('todo.md', directory)).toBe('from the file\n');
  for (const text of ['no such file', '.', '', 'x'.repeat(5000), 'a\0b', 'line\nline'])
    expect(await taskFromFlag(text, directory)).toBe(text);
});

test('task.md comes before input.txt; neither is null', async () => {
  await using workdir = await openBeneath(directory);
  expect(await taskFromWorkdir(workdir)).toBeNull();
  writeFileSync(path.join(directory, 'input.txt'), 'input');
  expect(await taskFromWorkdir(workdir)).toBe('input');
  writeFileSync(path.join(directory, 'task.md'), 'task');
  expect(await taskFromWorkdir(workdir)).toBe('task');
});

test('a task.md that is a link out of the workdir is refused', async () => {
  symlinkSync('/etc/hostname', path.join(directory, 'task.md'));
  await using workdir = await openBeneath(directory);
  await expect(taskFromWorkdir(workdir)).rejects.toMatchObject({
    condition: { variant: 'WorkdirPathRefused' },
  });
});
