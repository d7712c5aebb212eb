import { execFileSync } from 'node:child_process';
import {
  chownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileFixture } from '../test/support/compile.js';
import { scratchDirectory } from '../test/support/scratch.js';
import { request, textOf } from '../test/support/spawn.js';
import { openJail } from './jail.js';
import type { ExitRecord, Jail, JailGrants, SpawnRequest } from './types.js';

const directory = scratchDirectory();
const hostile = compileFixture(directory, 'hostile');
const root = process.getuid?.() === 0;

const SHELL = ['sh', 'cat', 'id', 'ls', 'sleep', 'setsid', 'grep', 'env', 'mkdir', 'stat'].map(
  (name) => `/usr/bin/${name}`,
);

type StrongClass = 'scoped' | 'sealed';

const open = (jailClass: StrongClass, grants: JailGrants = {}): Promise<Jail> =>
  openJail({ class: jailClass, label: 'test', grants: { executables: SHELL, ...grants } });

async function runIn(
  jail: Jail,
  script: string,
  rest: Partial<SpawnRequest> = {},
): Promise<{ readonly output: string; readonly exit: ExitRecord }> {
  const env = { PATH: '/usr/bin' };
  const jailed = await jail.spawn(request('/bin/sh', ['-c', script], { env, stdout: 'pipe', ...rest }));
  const [output, exit] = await Promise.all([textOf(jailed.stdout), jailed.exited]);
  return { output, exit };
}

/** Living processes of one process namespace. */
function processesIn(namespace: string): readonly string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readlinkSync(`/proc/${name}/ns/pid`) === namespace;
    } catch {
      return false;
    }
  });
}

const newWork = (): string => mkdtempSync(path.join(directory, 'work-'));

describe.each(['scoped', 'sealed'] as const)('a jail of the class %s', (jailClass) => {
  it('says which layers hold', async () => {
    await using jail = await open(jailClass);
    const { exit } = await runIn(jail, 'exit 0');
    expect(exit.layers).toEqual([
      'reaper',
      'lifeline',
      'session',
      'environment',
      'limits',
      'descriptors',
      'no-new-privileges',
      'tree-ended',
      'identity',
      'namespaces',
      'own-root',
      ...(jailClass === 'sealed' ? ['hidden-host'] : []),
      'own-devices',
      'own-process-listing',
      'no-nested-namespaces',
      'no-capabilities',
      'landlock',
      'landlock-network',
      'system-call-filter',
    ]);
  });

  it('runs nothing as the superuser, with no capability and under the filter, as the host sees it', async () => {
    await using jail = await open(jailClass);
    const jailed = await jail.spawn(request('/bin/sleep', ['60']));
    const status = readFileSync(`/proc/${jailed.pid}/status`, 'utf8');
    const field = (name: string): string => new RegExp(`^${name}:[ \\t]*(.*)$`, 'm').exec(status)?.[1] ?? '';
    const users = field('Uid').split('\t');
    expect(new Set(users).size).toBe(1);
    expect(users[0]).not.toBe('0');
    expect(new Set(field('Gid').split('\t'))).not.toContain('0');
    if (root) expect(field('Groups').trim()).toBe('');
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
      expect(field(set)).toBe('0000000000000000');
    expect([field('NoNewPrivs'), field('Seccomp')]).toEqual(['1', '2']);
    expect(field('NSpid').split('\t').at(-1)).toBe('2');
    await jailed.kill();
  });

  it('keeps an exit code apart from a signal, and passes signals on', async () => {
    await using jail = await open(jailClass);
    expect((await runIn(jail, 'exit 137')).exit).toMatchObject({ code: 137, signal: null });
    expect((await runIn(jail, 'kill -9 $$')).exit).toMatchObject({ code: null, signal: 9 });
    const script = 'trap "echo asked; exit 5" TERM; echo ready; while :; do sleep 0.05; done';
    const jailed = await jail.spawn(
      request('/bin/sh', ['-c', script], { env: { PATH: '/usr/bin' }, stdout: 'pipe' }),
    );
    jailed.stdout?.once('data', () => jailed.signal('SIGTERM'));
    expect(await textOf(jailed.stdout)).toBe('ready\nasked\n');
    expect(await jailed.exited).toMatchObject({ code: 5, signal: null });
  });

  it('takes what it left behind with it, and kills a tree that resists', async () => {
    await using jail = await open(jailClass, { executables: [...SHELL, hostile] });
    const left = await jail.spawn(
      request('/bin/sh', ['-c', 'setsid sleep 60 & echo; sleep 60'], {
        env: { PATH: '/usr/bin' },
        stdout: 'pipe',
      }),
    );
    const namespace = readlinkSync(`/proc/${left.pid}/ns/pid`);
    expect(processesIn(namespace).length).toBeGreaterThanOrEqual(2);
    left.signal('SIGKILL');
    expect((await left.exited).layers).toContain('tree-ended');
    expect(processesIn(namespace)).toEqual([]);
    const resisting = await jail.spawn(request(hostile, ['race', '60'], { stdout: 'pipe' }));
    resisting.stdout?.resume();
    const other = readlinkSync(`/proc/${resisting.pid}/ns/pid`);
    await resisting.kill();
    expect(processesIn(other)).toEqual([]);
  });

  it('gives a missing program its ENOENT, and an unlisted one is not executed', async () => {
    await using jail = await open(jailClass);
    await expect(jail.spawn(request('/usr/bin/none'))).rejects.toMatchObject({
      condition: { variant: 'Runtime' },
      cause: { code: 'ENOENT' },
    });
    await expect(jail.spawn(request('/usr/bin/wc'))).rejects.toMatchObject({
      condition: { variant: 'Runtime' },
      cause: { code: 'EACCES' },
    });
  });

  it('names what of its root could not be built', async () => {
    const work = newWork();
    await using jail = await open(jailClass, { readWrite: [work] });
    execFileSync('rm', ['-r', work]);
    await expect(jail.spawn(request('/bin/sh'))).rejects.toMatchObject({
      condition: {
        variant: 'SealedRootConstructionFailed',
        detail: `sealed-root: take what was granted (${work}): ENOENT`,
      },
    });
  });

  it('writes as the owner of its directory, and nowhere else', async () => {
    const work = newWork();
    if (root) chownSync(work, 4711, 4712);
    await using jail = await open(jailClass, { readWrite: [work] });
    const { output } = await runIn(
      jail,
      'echo x > f; stat -c %u:%g f; id -un; echo > /etc/x; echo > /usr/x',
      {
        cwd: work,
      },
    );
    const owner = root ? '4711:4712' : `${process.getuid?.()}:${process.getgid?.()}`;
    expect(output).toBe(`${owner}\ncapsule\n`);
    const made = statSync(path.join(work, 'f'));
    expect(`${made.uid}:${made.gid}`).toBe(owner);
  });

  it('lets root own what is written in a directory of root, without being root', async () => {
    const work = newWork();
    await using jail = await open(jailClass, { readWrite: [work] });
    const { output } = await runIn(jail, 'echo x > f; id -u', { cwd: work });
    expect(output.trim()).not.toBe('0');
    expect(statSync(path.join(work, 'f')).uid).toBe(process.getuid?.());
  });

  it('shows accounts of its own and nothing of the host', async () => {
    await using jail = await open(jailClass, { home: '/tmp/home' });
    const { output } = await runIn(
      jail,
      'cat /etc/passwd /etc/hostname; cat /proc/1/cmdline /proc/cmdline /etc/shadow',
    );
    const id = output.split('\n')[1]?.split(':')[2];
    expect(output).toBe(
      `root:x:0:0:root:/root:/bin/sh\ncapsule:x:${id}:${id}:Murmur capsule:/tmp/home:/bin/sh\ncapsule\n`,
    );
  });

  it('counts processes for itself', async () => {
    await using jail = await open(jailClass);
    const { output } = await runIn(jail, '(sleep 9 & sleep 9 & sleep 9 & sleep 9) 2>&1; echo', {
      limits: { processes: 4 },
    });
    expect(output).toContain('fork');
  });

  it('bounds its scratch space', async () => {
    await using jail = await open(jailClass, { tmpBytes: 65_536 });
    const { output } = await runIn(jail, 'cat /dev/zero 2>/dev/null > /tmp/f; stat -c %s /tmp/f');
    expect(Number(output)).toBeLessThanOrEqual(65_536);
    expect(Number(output)).toBeGreaterThan(0);
  });

  it('leaves neither a mount nor a descriptor', async () => {
    const mounts = (): string => readFileSync('/proc/self/mountinfo', 'utf8');
    const descriptors = (): number => readdirSync('/proc/self/fd').length;
    const work = newWork();
    const before = [mounts(), descriptors()];
    for (let round = 0; round < 5; round += 1) {
      await using jail = await open(jailClass, { readWrite: [work] });
      await runIn(jail, 'exit 0');
    }
    await expect.poll(() => [mounts(), descriptors()]).toEqual(before);
  });

  it('gives no grant of its own parts, and none twice', async () => {
    const work = newWork();
    symlinkSync('/', path.join(work, 'link'));
    for (const grants of [
      { readWrite: ['/'] },
      { readWrite: [path.join(work, 'link')] },
      { readOnly: ['/proc/self'] },
      { readOnly: ['/dev'] },
      { readWrite: ['/tmp'] },
      { readWrite: ['relative'] },
      { readOnly: [work], readWrite: [work] },
      { readWrite: ['/etc/hosts'] },
      { home: '/a:b' },
    ] satisfies JailGrants[]) {
      await expect(open(jailClass, grants)).rejects.toThrow(/^jail: /);
    }
  });

  it('protects no file that has a second name in a writable directory', async () => {
    const work = newWork();
    writeFileSync(path.join(work, 'program'), '#!/bin/sh\necho it\n', { mode: 0o755 });
    const grants = { readWrite: [work], executables: [...SHELL, path.join(work, 'program')] };
    {
      await using jail = await open(jailClass, grants);
      const { output } = await runIn(jail, './program; echo x 2>/dev/null >> program || echo refused', {
        cwd: work,
      });
      expect(output).toBe('it\nrefused\n');
    }
    linkSync(path.join(work, 'program'), path.join(work, 'other'));
    await expect(open(jailClass, grants)).rejects.toThrow(/has another name/);
  });

  it('shows a directory in a place that its user could not walk to', async () => {
    const closed = mkdtempSync('/var/tmp/closed-');
    const inner = path.join(closed, 'inner');
    mkdirSync(inner, { mode: 0o755 });
    writeFileSync(path.join(closed, 'beside'), 'beside');
    writeFileSync(path.join(inner, 'f'), 'inner\n');
    try {
      await using jail = await open(jailClass, { readOnly: [inner] });
      const { output } = await runIn(jail, `cat ${inner}/f; cat ${closed}/beside`);
      expect(output).toBe('inner\n');
    } finally {
      execFileSync('rm', ['-r', closed]);
    }
  });
});
