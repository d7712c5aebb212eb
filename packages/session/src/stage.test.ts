import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { stage } from './stage.js';
import type { RunOptions } from './types.js';

const MANIFEST = `name: refused
version: 0.1.0
artifacts:
  - name: some-driver
    version: 1.0.0
    runtime: driver
inference:
  transport: process
  driver:
    artifact: some-driver
`;

function optionsIn(directory: string): RunOptions {
  const home = path.join(directory, 'home');
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(path.join(directory, 'murmur.yaml'), MANIFEST);
  const none = (): void => undefined;
  return {
    manifestPath: 'murmur.yaml',
    cwd: directory,
    home,
    env: { PATH: process.env.PATH ?? '' },
    murVersion: '0.0.0',
    flags: {},
    clock: { now: Date.now, setTimer: () => ({ cancel: none }) },
    cancel: new AbortController().signal,
    kill: new AbortController().signal,
    observer: { progress: none, warning: none, ready: none, record: none, frame: none },
  };
}

/** Wardens that this process started and that still run. */
function wardens(): readonly string[] {
  return readdirSync(`/proc/${process.pid}/task`)
    .flatMap((task) => readFileSync(`/proc/${process.pid}/task/${task}/children`, 'utf8').split(' '))
    .filter((pid) => pid !== '' && readFileSync(`/proc/${pid}/comm`, 'utf8') === 'warden\n');
}

test.runIf(process.platform === 'linux')('a refusal leaves no process that was started ahead', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'murmur-stage-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  await expect(stage(optionsIn(directory))).rejects.toMatchObject({
    condition: { code: 'E-RUN-008', missing: ['some-driver@1.0.0'] },
  });
  expect(wardens()).toEqual([]);
});
