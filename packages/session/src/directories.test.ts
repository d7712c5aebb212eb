import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import {
  checkGivenWorkdir,
  createSessionDirectories,
  recordsPath,
  sweepStaleSessions,
} from './directories.js';
import { processStart } from './process-identity.js';

const sessionId = `ses_${'0'.repeat(12)}7abc8${'0'.repeat(15)}`;
let home: string;
let project: string;

beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'home-'));
  project = mkdtempSync(path.join(tmpdir(), 'project-'));
  return () => {
    rmSync(home, { recursive: true });
    rmSync(project, { recursive: true, force: true });
  };
});

const request = () => ({ home, sessionId, givenWorkdir: null, projectDirectory: project });
const sessions = () => path.join(home, '.murmur/sessions');

test('a session gets a workdir, private records and a runtime directory that goes with it', async () => {
  const directories = await createSessionDirectories(request());
  expect(existsSync(path.join(project, 'workdir', sessionId))).toBe(true);
  const records = path.join(home, '.murmur/records', project, 'workdir', sessionId);
  expect(recordsPath(request())).toBe(records);
  for (const directory of [
    path.join(home, '.murmur'),
    sessions(),
    path.join(sessions(), sessionId),
    records,
  ]) {
    expect(statSync(directory).mode & 0o777, directory).toBe(0o700);
  }
  expect(readdirSync(sessions())).toEqual([sessionId]);
  await directories[Symbol.asyncDispose]();
  expect(readdirSync(sessions())).toEqual([]);
  expect(existsSync(records)).toBe(true);
});

test('what a killed session left is swept; what may belong to a living one stays', async () => {
  const left = async (name: string, owner: object | null) => {
    mkdirSync(path.join(sessions(), name), { recursive: true });
    if (owner !== null) writeFileSync(path.join(sessions(), name, 'owner.json'), JSON.stringify(owner));
  };
  const gone = await endedProcess();
  const mine = { pid: process.pid, start: await processStart(process.pid) };
  await left('ses_killed', gone);
  await left('ses_reused_pid', { pid: process.pid, start: '1' });
  await left('ses_without_owner', null);
  await left('ses_cut_owner', null);
  writeFileSync(path.join(sessions(), 'ses_cut_owner/owner.json'), '{"pid":');
  await left(`.new-${gone.pid}-${gone.start}-ses_x`, null);
  await left('.removing-abc', null);
  await left('ses_alive', mine);
  await left('ses_unknown_start', { pid: process.pid, start: null });
  await left(`.new-${mine.pid}-${mine.start}-ses_y`, null);
  await sweepStaleSessions(home);
  expect(readdirSync(sessions()).sort()).toEqual([
    `.new-${mine.pid}-${mine.start}-ses_y`,
    'ses_alive',
    'ses_unknown_start',
  ]);
});

test('sweeping follows no link out', async () => {
  const outside = path.join(project, 'outside');
  mkdirSync(outside);
  writeFileSync(path.join(outside, 'kept'), '');
  mkdirSync(path.join(sessions(), 'ses_dead'), { recursive: true });
  symlinkSync(outside, path.join(sessions(), 'ses_dead/link'));
  symlinkSync(outside, path.join(sessions(), 'ses_link'));
  await sweepStaleSessions(home);
  expect(existsSync(path.join(outside, 'kept'))).toBe(true);
  expect(existsSync(path.join(sessions(), 'ses_dead'))).toBe(false);
});

test('a link in place of the sessions directory is no way in: nothing behind it is swept', async () => {
  const outside = path.join(project, 'outside');
  mkdirSync(path.join(outside, 'ses_dead'), { recursive: true });
  mkdirSync(path.join(home, '.murmur'));
  symlinkSync(outside, sessions());
  await sweepStaleSessions(home);
  expect(readdirSync(outside)).toEqual(['ses_dead']);
});

test('a workdir that cannot be made is its own condition', async () => {
  writeFileSync(path.join(project, 'workdir'), 'a file');
  await expect(createSessionDirectories(request())).rejects.toMatchObject({
    condition: { variant: 'CreateWorkdir' },
  });
});

test('records that cannot be made are their own condition', async () => {
  mkdirSync(path.join(home, '.murmur'));
  symlinkSync(project, path.join(home, '.murmur/records'));
  await expect(createSessionDirectories(request())).rejects.toMatchObject({
    condition: { variant: 'RecordsDirUnavailable' },
  });
});

test('a given workdir must be a directory', async () => {
  await expect(checkGivenWorkdir(project)).resolves.toBeUndefined();
  await expect(checkGivenWorkdir(path.join(project, 'none'))).rejects.toMatchObject({
    condition: { code: 'E-IO-001' },
  });
  writeFileSync(path.join(project, 'file'), '');
  await expect(checkGivenWorkdir(path.join(project, 'file'))).rejects.toMatchObject({
    condition: { code: 'E-IO-003' },
  });
});

/** Identity of a process that was there and is not any more. */
async function endedProcess(): Promise<{ pid: number; start: string | null }> {
  const child = spawn('sleep', ['60']);
  const pid = child.pid ?? 0;
  const start = await processStart(pid);
  child.kill('SIGKILL');
  await new Promise((resolve) => child.on('close', resolve));
  return { pid, start };
}
