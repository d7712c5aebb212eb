import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openBeneath } from './open-beneath.js';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'open-'));
  return () => rmSync(directory, { recursive: true });
});

test('noFollow refuses a link in place of the directory, made or not, and makes nothing behind it', async () => {
  const real = path.join(directory, 'real');
  mkdirSync(real);
  symlinkSync(real, path.join(directory, 'link'));
  symlinkSync(path.join(directory, 'absent'), path.join(directory, 'dangling'));
  for (const name of ['link', 'dangling']) {
    for (const create of [true, false]) {
      const opening = openBeneath(path.join(directory, name), { create, noFollow: true });
      await expect(opening, `${name} ${create}`).rejects.toMatchObject({
        condition: { variant: 'WorkdirPathRefused' },
      });
    }
  }
  expect(existsSync(path.join(directory, 'absent'))).toBe(false);
});

test('noFollow follows links above the directory, makes what is missing and gives it its mode', async () => {
  mkdirSync(path.join(directory, 'real'));
  symlinkSync(path.join(directory, 'real'), path.join(directory, 'link'));
  await using opened = await openBeneath(path.join(directory, 'link/a/b'), {
    create: true,
    mode: 0o700,
    noFollow: true,
  });
  await opened.write('file', 'x');
  for (const made of ['real/a', 'real/a/b'])
    expect(statSync(path.join(directory, made)).mode & 0o777).toBe(0o700);
  await using again = await openBeneath(path.join(directory, 'link/a/b'), {
    create: true,
    mode: 0o700,
    noFollow: true,
  });
  expect((await again.read('file')).toString()).toBe('x');
});
