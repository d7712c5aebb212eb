import { copyFileSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { compileFixture } from '../test/support/compile.js';
import { childrenOf, processesFrom, processesOf } from '../test/support/processes.js';
import { scratchDirectory } from '../test/support/scratch.js';
import { request, textOf } from '../test/support/spawn.js';
import { openJail } from './jail.js';
import type { Jail } from './types.js';
import { locateWarden } from './warden-location.js';

const directory = scratchDirectory();
const hostile = compileFixture(directory, 'hostile');
const wardenPath = path.join(directory, 'warden');
copyFileSync(locateWarden(), wardenPath);

const SELF_DESTRUCT_SECONDS = '60';
const PROCESSES = 5;

const openHere = (): Promise<Jail> => openJail({ class: 'advisory', label: 'test' }, { wardenPath });

/** Waits until all processes of the tree have said that they are there. */
async function untilReady(stream: Readable | null, processes: number): Promise<void> {
  let seen = 0;
  await new Promise<void>((resolve) => {
    stream?.on('data', (chunk: Buffer) => {
      seen += chunk.length;
      if (seen >= processes) resolve();
    });
  });
}

/** Ends only when the last process that holds the pipe is dead. */
const untilAllDead = (stream: Readable | null): Promise<void> =>
  new Promise((resolve) => {
    if (stream?.readableEnded === true) resolve();
    else stream?.once('end', resolve);
  });

describe('killing a tree that resists', () => {
  it.each(['quiet', 'race'])('leaves nobody (%s)', async (mode) => {
    const jail = await openHere();
    const jailed = await jail.spawn(request(hostile, [mode, SELF_DESTRUCT_SECONDS], { stdout: 'pipe' }));
    await untilReady(jailed.stdout, PROCESSES);
    const dead = untilAllDead(jailed.stdout);
    await jailed.kill();
    expect(processesFrom(directory)).toEqual([]);
    expect(await jailed.exited).toMatchObject({ code: null, signal: 9 });
    await dead;
    await jail.kill();
  });

  it('happens when the program ends by itself, before its end is reported', async () => {
    await using jail = await openHere();
    const jailed = await jail.spawn(request(hostile, ['exit', SELF_DESTRUCT_SECONDS], { stdout: 'pipe' }));
    const exit = await jailed.exited;
    expect(exit.code).toBe(7);
    expect(exit.layers).toContain('tree-ended');
    expect(processesOf(hostile)).toEqual([]);
    await textOf(jailed.stdout);
  });

  it('covers everything that was spawned through a jail', async () => {
    const jail = await openHere();
    const all = await Promise.all(
      ['quiet', 'exit', 'quiet'].map((mode) =>
        jail.spawn(request(hostile, [mode, SELF_DESTRUCT_SECONDS], { stdout: 'pipe' })),
      ),
    );
    for (const jailed of all) jailed.stdout?.resume();
    await jail.kill();
    expect(processesFrom(directory)).toEqual([]);
  });

  it('happens although the program has stopped the guardian, when the lifeline is cut', async () => {
    const jail = await openHere();
    const jailed = await jail.spawn(request(hostile, ['quiet', SELF_DESTRUCT_SECONDS], { stdout: 'pipe' }));
    await untilReady(jailed.stdout, PROCESSES);
    const dead = untilAllDead(jailed.stdout);
    const [outer, guardian] = wardensOf(process.pid);
    process.kill(guardian, 'SIGSTOP');
    process.kill(outer, 'SIGTERM');
    await dead;
    await jail.kill();
    expect(processesFrom(directory)).toEqual([]);
  });
});

describe('a command that comes too late', () => {
  it.each(['signal', 'kill'])('does not lose how the program ended: %s', async (which) => {
    await using jail = await openHere();
    const jailed = await jail.spawn(request('/bin/true'));
    // Without a turn of the event loop: the report lies unread in the socket when the warden is gone.
    while (processesFrom(directory).length > 0);
    if (which === 'signal') jailed.signal('SIGUSR1');
    else await jailed.kill();
    expect((await jailed.exited).code).toBe(0);
  });
});

describe('a warden that is killed', () => {
  it.each(['the outer process', 'the guardian'])('takes the tree with it: %s', async (which) => {
    await using jail = await openHere();
    const jailed = await jail.spawn(request(hostile, ['quiet', SELF_DESTRUCT_SECONDS], { stdout: 'pipe' }));
    await untilReady(jailed.stdout, PROCESSES);
    const dead = untilAllDead(jailed.stdout);
    const [outer, guardian] = wardensOf(process.pid);
    process.kill(which === 'the guardian' ? guardian : outer, 'SIGKILL');
    expect(await jailed.exited).toMatchObject({ code: null, signal: 9 });
    await dead;
    await jailed.kill();
    expect(processesFrom(directory)).toEqual([]);
  });

  it('is told apart from a program that ended when both its processes are killed', async () => {
    await using jail = await openHere();
    const jailed = await jail.spawn(request('/bin/cat', [], { stdin: 'pipe', stdout: 'pipe' }));
    const [outer, guardian] = wardensOf(process.pid);
    process.kill(outer, 'SIGSTOP');
    process.kill(guardian, 'SIGKILL');
    process.kill(outer, 'SIGKILL');
    await expect(jailed.exited).rejects.toMatchObject({ condition: { variant: 'Runtime' } });
  });
});

/** The outer process and the guardian of the only warden that runs below `runtime` from this file's directory. */
function wardensOf(runtime: number): readonly [number, number] {
  const ours = new Set(processesFrom(directory));
  const [outer = -1] = childrenOf(runtime).filter((pid) => ours.has(pid));
  const [guardian = -1] = childrenOf(outer).filter((pid) => ours.has(pid));
  return [outer, guardian];
}
