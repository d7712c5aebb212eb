import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cleanEnvironment } from '../lib/host.mjs';

const repository = path.resolve(import.meta.dirname, '../../..');

test('without a C compiler every task says what to install', () => {
  const clone = mkdtempSync(path.join(tmpdir(), 'clone-'));
  try {
    mkdirSync(path.join(clone, 'bin'));
    symlinkSync(process.execPath, path.join(clone, 'bin/node'));
    cpSync(path.join(repository, 'tools/repo'), path.join(clone, 'tools/repo'), {
      recursive: true,
      filter: (file) => !file.includes('node_modules'),
    });
    copyFileSync(path.join(repository, 'package.json'), path.join(clone, 'package.json'));
    for (const task of ['quickstart', 'test', 'check', 'bench']) {
      const result = spawnSync(process.execPath, [path.join(clone, 'tools/repo/task.mjs'), task], {
        env: { PATH: path.join(clone, 'bin') },
        encoding: 'utf8',
      });
      expect(result.stderr, task).toContain('apt-get install gcc libc6-dev');
      expect(result.status).toBe(1);
    }
  } finally {
    rmSync(clone, { recursive: true });
  }
});

test('tools get a home inside the clone and nothing of the caller but the named variables', () => {
  const env = cleanEnvironment('/clone', {
    PATH: '/bin',
    HOME: '/home/me',
    SECRET_TOKEN: 'x',
    NODE_OPTIONS: '--inspect',
    TERM: 'xterm',
  }) as Record<string, string>;
  expect(env.HOME).toBe('/clone/.cache/home');
  expect(env.npm_config_userconfig).toBe('/home/me/.npmrc');
  expect(
    Object.keys(env)
      .filter((name) => !name.startsWith('npm_config_'))
      .sort(),
  ).toEqual(['DO_NOT_TRACK', 'HOME', 'PATH', 'TERM', 'TURBO_TELEMETRY_DISABLED']);
  expect(
    Object.values(env).filter(
      (value) => value.startsWith('/') && !value.startsWith('/clone') && value !== '/bin',
    ),
  ).toEqual(['/home/me/.npmrc']);
});
