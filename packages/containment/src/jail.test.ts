import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileFixture } from '../test/support/compile.js';
import { childrenOf } from '../test/support/processes.js';
import { scratchDirectory } from '../test/support/scratch.js';
import { openTestJail, request, run, textOf } from '../test/support/spawn.js';
import { openJail } from './jail.js';
import { locateWarden } from './warden-location.js';

const directory = scratchDirectory();
const inspect = compileFixture(directory, 'inspect');

/** A secret in the runtime's own environment. */
process.env.CONTAINMENT_CANARY = 'canary-5f1c';

async function inspected(rest: Parameters<typeof run>[2] = {}): Promise<Record<string, unknown>> {
  const { output } = await run(inspect, [], rest);
  return JSON.parse(output) as Record<string, unknown>;
}

describe('opening a jail', () => {
  it('refuses when the warden is missing', async () => {
    const wardenPath = path.join(directory, 'none');
    await expect(openJail({ class: 'advisory', label: 'test' }, { wardenPath })).rejects.toMatchObject({
      condition: { variant: 'Runtime', message: expect.stringContaining(wardenPath) },
    });
  });
});

describe('a program in a jail', () => {
  it('sees its own descriptors and no other', async () => {
    const seen = await inspected({ stdin: 'pipe', channels: ['in', 'out'] });
    expect(seen.descriptors).toEqual({
      0: 'pipe read',
      1: 'pipe write',
      2: 'device both',
      3: 'pipe read',
      4: 'pipe write',
    });
  });

  it('lists the same descriptors in /proc/self/fd', async () => {
    const { output } = await run('/bin/ls', ['/proc/self/fd']);
    // The last one is the listing's own.
    expect(output).toBe('0\n1\n2\n3\n');
  });

  it('leads its own session and group, with every signal as a fresh process has it', async () => {
    expect(await inspected({ cwd: '/usr' })).toMatchObject({
      sessionLeader: true,
      groupLeader: true,
      blockedSignals: 0,
      changedSignals: 0,
      noNewPrivileges: 1,
      name: inspect,
      directory: '/usr',
    });
  });

  it('has exactly the environment that was named', async () => {
    const { output } = await run('/usr/bin/env', [], { env: { B: '2', A: 'x=y', EMPTY: '' } });
    expect(output.trim().split('\n').sort()).toEqual(['A=x=y', 'B=2', 'EMPTY=']);
    expect((await run('/usr/bin/env')).output).toBe('');
  });

  it('gets its arguments byte for byte', async () => {
    const args = ['', ' ', '$HOME', "it's", 'two\nlines', 'zażółć 🐟', '--', '-n'];
    const { output } = await run('/usr/bin/printf', ['%s\\0', ...args]);
    expect(output.split('\0').slice(0, -1)).toEqual(args);
  });

  it('has its limits, hard and soft, and never leaves a core', async () => {
    const limits = { openFiles: 40, fileSizeBytes: 1_000_000, cpuSeconds: 50, dataBytes: 100_000_000 };
    const seen = await inspected({ limits });
    for (const [name, value] of Object.entries(limits)) expect(seen[name]).toEqual([value, value]);
    expect(seen.core).toEqual([1, 1]);
    expect((await inspected()).core).toEqual([1, 1]);
  });

  it('may start as many processes as it was given on top of those the user runs', async () => {
    const [soft, hard] = (await inspected({ limits: { processes: 5 } })).processes as [number, number];
    expect(soft).toBe(hard);
    expect(soft).toBeGreaterThan(5);
    expect(soft).toBeLessThan(100_000);
  });

  it('meets its file size limit', async () => {
    const file = path.join(directory, 'large');
    const { exit } = await run('/bin/sh', ['-c', `exec head -c 100000 /dev/zero > ${file}`], {
      limits: { fileSizeBytes: 1000 },
    });
    expect(exit).toMatchObject({ code: null, signal: 25 });
    expect(readFileSync(file).length).toBe(1000);
  });

  it('reports its exit code, its signal and what it used', async () => {
    expect((await run('/bin/sh', ['-c', 'exit 137'])).exit).toMatchObject({
      code: 137,
      signal: null,
      oomKilled: false,
    });
    const { exit } = await run('/bin/sh', ['-c', 'kill -9 $$']);
    expect(exit).toMatchObject({ code: null, signal: 9 });
    expect(exit.maxRssBytes).toBeGreaterThan(100_000);
    expect(exit.layers).toEqual([
      'reaper',
      'lifeline',
      'session',
      'environment',
      'limits',
      'descriptors',
      'no-new-privileges',
      'tree-ended',
    ]);
  });

  it('gets signals that are sent to it, until it is gone', async () => {
    await using jail = await openTestJail();
    const script = 'trap "echo caught; exit 3" TERM; echo ready; while :; do sleep 0.05; done';
    const jailed = await jail.spawn(request('/bin/sh', ['-c', script], { stdout: 'pipe' }));
    jailed.stdout?.once('data', () => expect(jailed.signal('SIGTERM')).toBe(true));
    const [output, exit] = await Promise.all([textOf(jailed.stdout), jailed.exited]);
    expect(output).toBe('ready\ncaught\n');
    expect(exit.code).toBe(3);
    expect(jailed.signal('SIGTERM')).toBe(false);
  });
});

describe('a warden', () => {
  it('shows nothing of the runtime or the program to those who list processes', async () => {
    await using jail = await openTestJail();
    const env = { SECRET: 'secret-91d2' };
    const jailed = await jail.spawn(
      request('/bin/cat', ['/dev/null', '-'], { env, stdin: 'pipe', stdout: 'pipe' }),
    );
    const outer = childrenOf(process.pid).filter(
      (pid) => readFileSync(`/proc/${pid}/comm`, 'utf8') === 'warden\n',
    );
    const guardian = outer.flatMap(childrenOf);
    expect([outer.length, guardian.length]).toEqual([1, 1]);
    for (const pid of [...outer, ...guardian]) {
      expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toBe('');
      expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toBe('warden\0');
    }
    expect(readFileSync(`/proc/${jailed.pid}/environ`, 'utf8')).toBe('SECRET=secret-91d2\0');
  });
});

describe('a program that cannot be run', () => {
  const script = path.join(directory, 'script');
  const plain = path.join(directory, 'plain');
  writeFileSync(script, '#!/nowhere/interpreter\n');
  chmodSync(script, 0o755);
  writeFileSync(plain, 'text');

  it.each([
    ['is missing', '/nowhere/program', 'ENOENT', 'open the program'],
    ['lies below a file', `${plain}/program`, 'ENOTDIR', 'open the program'],
    ['is not executable', plain, 'EACCES', 'execute the program'],
    ['has no interpreter', script, 'ENOENT', 'execute the program'],
    ['is a directory', directory, 'EACCES', 'execute the program'],
  ])('names step and errno when it %s', async (_name, program, code, step) => {
    await using jail = await openTestJail();
    const attempt = jail.spawn(request(program, [], { stdin: 'pipe', stdout: 'pipe' }));
    await expect(attempt).rejects.toMatchObject({
      condition: { variant: 'Runtime', message: expect.stringContaining(step) },
      cause: { code, syscall: step },
    });
  });

  it('names the working directory when that is missing', async () => {
    await using jail = await openTestJail();
    await expect(jail.spawn(request('/bin/true', [], { cwd: '/nowhere' }))).rejects.toMatchObject({
      cause: { code: 'ENOENT', syscall: 'open the working directory' },
    });
  });

  it('is refused before the spawn when its arguments do not fit', async () => {
    await using jail = await openTestJail();
    const args = Array(50).fill('x'.repeat(100_000));
    await expect(jail.spawn(request('/bin/true', args))).rejects.toThrow(/^spawn request: /);
  });

  it('says so when the kernel takes fewer arguments than the warden', async () => {
    await using jail = await openTestJail();
    await expect(jail.spawn(request('/bin/true', ['x'.repeat(200_000)]))).rejects.toMatchObject({
      cause: { code: 'E2BIG', syscall: 'execute the program' },
    });
  });

  it('is never spawned after the jail was killed', async () => {
    const jail = await openTestJail();
    await jail.kill();
    await expect(jail.spawn(request('/bin/true'))).rejects.toThrow('spawn after kill');
  });
});

describe('a descriptor that came with the warden', () => {
  it('is closed although nothing marked it', async () => {
    const leaky = path.join(directory, 'leaky-warden');
    writeFileSync(leaky, `#!/bin/sh\nexec 8</etc/passwd 9</etc/passwd\nexec ${locateWarden()}\n`);
    chmodSync(leaky, 0o755);
    await using jail = await openJail({ class: 'advisory', label: 'test' }, { wardenPath: leaky });
    const jailed = await jail.spawn(request(inspect, [], { stdout: 'pipe' }));
    const seen = JSON.parse(await textOf(jailed.stdout)) as { descriptors: object };
    expect(Object.keys(seen.descriptors)).toEqual(['0', '1', '2']);
  });
});
