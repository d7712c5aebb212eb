import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { watch } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Pin } from '@murmur/manifest';
import { expect, test } from 'vitest';
import { conditionOf, scratch } from '../../test/scratch.js';
import { processStart } from './process-identity.js';
import { createLock, readLock, writeLock } from './project-lock.js';

const pinOften = fileURLToPath(new URL('../../test/pin-often.mjs', import.meta.url));
const hex = (digit: string) => digit.repeat(64);
const pin = (change: Partial<Pin> = {}): Pin => ({
  name: 'thing',
  version: '1.0.0',
  sha256: { any: hex('a') },
  by: 'operator',
  ...change,
});
const onLinux = { platform: 'linux-x86_64', digest: hex('a') };

/** A project whose lock holds a text. */
function projectWith(text?: string): string {
  const project = scratch();
  if (text !== undefined) fs.writeFileSync(path.join(project, 'murmur.lock'), text);
  return project;
}

const lockText = (project: string) => fs.readFileSync(path.join(project, 'murmur.lock'), 'utf8');

test('a pin is written, read back, and writing it again leaves the file alone', async () => {
  const project = projectWith();
  expect(await readLock(project)).toBeNull();
  expect(await writeLock(project, [pin()])).toMatchObject({ changed: true, adopted: [] });
  expect((await readLock(project))?.artifacts).toMatchObject([
    { name: 'thing', resolvedVersion: '1.0.0', sha256: { any: hex('a') }, origin: 'operator' },
  ]);
  const { ino } = fs.statSync(path.join(project, 'murmur.lock'));
  expect(await writeLock(project, [pin()])).toMatchObject({ changed: false });
  expect(fs.statSync(path.join(project, 'murmur.lock')).ino).toBe(ino);
  expect(fs.readdirSync(project)).toEqual(['murmur.lock']);
});

test('other entries, their order and unknown keys survive a write', async () => {
  const other = `  - name: other\n    resolved_version: "2"\n    sha256:\n      any: ${hex('b')}\n    origin: operator\n    scope: here\n`;
  const project = projectWith(
    `lock_version: 2\nartifacts:\n${other}  - name: thing\n    resolved_version: 1.0.0\n    sha256:\n      platforms:\n        linux-x86_64: ${hex('a')}\n    pinned_programs: [a, b]\nlater: { key: [1, 2] }\n`,
  );
  await writeLock(project, [pin({ sha256: { platform: 'darwin-aarch64', digest: hex('c') } })]);
  const lock = await readLock(project);
  expect(lock?.extra).toEqual({ later: { key: [1, 2] } });
  expect(lock?.artifacts.map(({ name }) => name)).toEqual(['other', 'thing']);
  expect(lock?.artifacts[0]?.extra).toEqual({ scope: 'here' });
  expect(lock?.artifacts[1]).toMatchObject({
    sha256: { platforms: { 'darwin-aarch64': hex('c'), 'linux-x86_64': hex('a') } },
    extra: { pinned_programs: ['a', 'b'] },
  });
});

test.each<[string, Pin, Pin, string]>([
  ['another version', pin(), pin({ version: '1.0.1' }), 'pins version 1.0.0'],
  ['other bytes', pin(), pin({ sha256: { any: hex('b') } }), 'other bytes'],
  [
    'other bytes for this platform',
    pin({ sha256: onLinux }),
    pin({ sha256: { ...onLinux, digest: hex('b') } }),
    'other bytes',
  ],
  ['one digest where there is one for each', pin({ sha256: onLinux }), pin(), 'for each platform'],
  ['one for each where there is one', pin(), pin({ sha256: onLinux }), 'for every platform'],
])('%s disagrees with the lock and writes nothing', async (_what, first, second, problem) => {
  const project = projectWith();
  await writeLock(project, [first]);
  const before = lockText(project);
  let filed = false;
  const beforeWriting = async () => {
    filed = true;
  };
  const condition = await conditionOf(() =>
    writeLock(project, [pin({ name: 'new' }), second], { beforeWriting }),
  );
  expect(condition).toMatchObject({ code: 'E-REG-005', name: 'thing', version: second.version });
  expect(condition.problem).toContain(problem);
  expect(lockText(project)).toBe(before);
  expect(filed).toBe(false);
});

test("an operator's write takes over what a capsule pinned, and a capsule's never does the reverse", async () => {
  const project = projectWith();
  const byCapsule = pin({ by: { session: 'ses_1' } });
  await writeLock(project, [byCapsule]);
  expect((await readLock(project))?.artifacts[0]).toMatchObject({ origin: 'runtime', session: 'ses_1' });
  expect(await writeLock(project, [pin()])).toMatchObject({
    changed: true,
    adopted: [{ name: 'thing', version: '1.0.0', session: 'ses_1' }],
  });
  expect(await writeLock(project, [byCapsule])).toMatchObject({ changed: false, adopted: [] });
  expect((await readLock(project))?.artifacts[0]).toMatchObject({ origin: 'operator' });
});

test.each<[string, string]>([
  ['another lock version', 'lock_version: 1\nartifacts: []\n'],
  ['no YAML', 'lock_version: ['],
  ['nothing', ''],
])('a lock with %s is refused and left as it is', async (_what, text) => {
  const project = projectWith(text);
  for (const action of [() => readLock(project), () => writeLock(project, [pin()])]) {
    expect(await conditionOf(action)).toMatchObject({ code: 'E-RUN-003' });
  }
  expect(lockText(project)).toBe(text);
});

test('a lock that is a link is refused', async () => {
  const project = projectWith();
  const outside = path.join(scratch(), 'file');
  fs.writeFileSync(outside, 'lock_version: 2\nartifacts: []\n');
  fs.symlinkSync(outside, path.join(project, 'murmur.lock'));
  for (const action of [() => readLock(project), () => writeLock(project, [pin()])]) {
    expect(await conditionOf(action)).toMatchObject({ code: 'E-RUN-904' });
  }
  expect(fs.readFileSync(outside, 'utf8')).toBe('lock_version: 2\nartifacts: []\n');
});

test('a missing lock is created once and an existing one is never refreshed', async () => {
  const project = projectWith();
  expect(await createLock(project, [pin()])).toBe(true);
  const before = lockText(project);
  expect(await createLock(project, [pin({ version: '2' })])).toBe(false);
  expect(lockText(project)).toBe(before);
});

test('writers side by side lose no pin', async () => {
  const project = projectWith();
  const times = 6;
  const writers = ['a', 'b', 'c'].map((prefix) =>
    promisify(execFile)(process.execPath, [pinOften, project, prefix, String(times)]),
  );
  const own = Promise.all(['x', 'y', 'z'].map((name) => writeLock(project, [pin({ name, version: '1' })])));
  await Promise.all([...writers, own]);
  expect((await readLock(project))?.artifacts).toHaveLength(3 * times + 3);
  expect(fs.readdirSync(project)).toEqual(['murmur.lock']);
});

test('a writer that died while it held the lock does not hold up the next one, and its traces go', async () => {
  const project = projectWith();
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  const claim = path.join(project, `.murmur-claim-${pid}-${processStart(pid) ?? '0'}-0123456789abcdef`);
  const temporary = path.join(project, `.murmur-${pid}-0123456789abcdef01234567.tmp`);
  fs.writeFileSync(claim, '');
  fs.writeFileSync(temporary, 'half a lo');
  const writing = writeLock(project, [pin()]);
  // Until the writer has come and gone a few times: each time it saw the other one alive.
  const tries = new Set<string>();
  for await (const { filename } of watch(project)) {
    if (filename?.startsWith(`.murmur-claim-${process.pid}-`)) tries.add(filename);
    if (tries.size === 3) break;
  }
  expect(fs.existsSync(path.join(project, 'murmur.lock'))).toBe(false);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await writing;
  expect(fs.readdirSync(project)).toEqual(['murmur.lock']);
});

test.runIf(process.platform === 'linux')(
  'a process id that was given to another process does not count',
  async () => {
    const project = projectWith();
    fs.writeFileSync(path.join(project, `.murmur-claim-${process.pid}-1-0123456789abcdef`), '');
    await writeLock(project, [pin()]);
    expect(fs.readdirSync(project)).toEqual(['murmur.lock']);
  },
);
