import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { compileFixture } from '../test/support/compile.js';
import { seededRandom } from '../test/support/mutations.js';
import { childrenOf, processesFrom } from '../test/support/processes.js';
import { scratchDirectory } from '../test/support/scratch.js';
import { locateWarden } from './warden-location.js';

const directory = scratchDirectory();
const hostile = compileFixture(directory, 'hostile');
const wardenPath = path.join(directory, 'warden');
copyFileSync(locateWarden(), wardenPath);
const runtimeScript = fileURLToPath(new URL('../test/fixtures/runtime.mjs', import.meta.url));

const SELF_DESTRUCT_SECONDS = '90';
const VICTIMS = [
  'runtime',
  'outer',
  'guardian',
  'program',
  'runtime and outer',
  'runtime and guardian',
] as const;
/** With a first process of its own, whose namespace makes the death of both of the warden's processes harmless. */
const JAIL_VICTIMS = [...VICTIMS, 'init', 'outer and guardian', 'runtime and init'] as const;
type Victim = (typeof JAIL_VICTIMS)[number];

const CLASSES = [
  { jailClass: 'advisory', victims: VICTIMS, points: 54 },
  { jailClass: 'scoped', victims: JAIL_VICTIMS, points: 18 },
  { jailClass: 'sealed', victims: JAIL_VICTIMS, points: 36 },
] as const;
type JailClass = (typeof CLASSES)[number]['jailClass'];

interface Family {
  readonly runtime: number;
  readonly outer: number | undefined;
  readonly guardian: number | undefined;
  readonly init: number | undefined;
  readonly program: number | undefined;
}

function familyOf(runtime: number, jailClass: JailClass): Family {
  const ours = new Set(processesFrom(directory));
  const only = (parent: number | undefined): number | undefined =>
    parent === undefined ? undefined : childrenOf(parent).find((pid) => ours.has(pid));
  const outer = only(runtime);
  const guardian = only(outer);
  const init = jailClass === 'advisory' ? undefined : only(guardian);
  return { runtime, outer, guardian, init, program: only(init ?? guardian) };
}

/** Kills what is there at this moment; a process that does not exist yet is not replaced by another. */
function strike(victim: Victim, family: Family): void {
  for (const name of victim.split(' and ') as (keyof Family)[]) {
    const pid = family[name];
    if (pid === undefined) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended meanwhile, which is one of the moments to test.
    }
  }
}

interface Strike {
  readonly jailClass: JailClass;
  readonly victim: Victim;
  /** How the tree behaves: `test/fixtures/hostile.c`. */
  readonly mode: 'quiet' | 'race';
  /** The tree's processes write a byte each; 0 stands for the moment when the warden is first seen. */
  readonly afterBytes: number;
  /** Turns of the event loop after that. */
  readonly turns: number;
}

/** Resolves when the tree is as far as the strike wants it, or can get no further. */
function untilMoment(runtime: ChildProcess, afterBytes: number): Promise<void> {
  let seen = 0;
  return new Promise((resolve) => {
    const lookForWarden = (): void => {
      if (childrenOf(runtime.pid ?? -1).length > 0 || runtime.exitCode !== null) resolve();
      else setImmediate(lookForWarden);
    };
    if (afterBytes === 0) lookForWarden();
    runtime.once('exit', () => resolve());
    runtime.stdout?.on('data', (chunk: Buffer) => {
      seen += chunk.length;
      if (seen >= afterBytes) resolve();
    });
  });
}

/** One runtime with one tree, struck once. */
async function strikeOnce({ jailClass, victim, mode, afterBytes, turns }: Strike): Promise<void> {
  const args = [runtimeScript, jailClass, wardenPath, hostile, mode, SELF_DESTRUCT_SECONDS];
  const runtime = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'], env: {} });
  const pid = runtime.pid ?? -1;
  const ended = new Promise<void>((resolve) => runtime.once('exit', () => resolve()));
  await untilMoment(runtime, afterBytes);
  for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
  strike(victim, familyOf(pid, jailClass));
  await expect.poll(() => survivors(pid, jailClass, victim), { timeout: 60_000 }).toEqual([]);
  runtime.kill('SIGKILL');
  await ended;
  await expect.poll(() => processesFrom(directory), { timeout: 60_000 }).toEqual([]);
}

/** A runtime that lives may have been struck before it had a child, and then rightly goes on. */
function survivors(runtime: number, jailClass: JailClass, victim: string): readonly number[] {
  const family = familyOf(runtime, jailClass);
  const untouched =
    !victim.includes('runtime') && family.program !== undefined && family.guardian !== undefined;
  return untouched ? [] : processesFrom(directory);
}

describe.each(CLASSES)('kill -9 at $jailClass', ({ jailClass, victims, points }) => {
  it(`at ${points} seeded points, of every process alone and together with another, leaves no descendant`, async () => {
    const random = seededRandom(7);
    for (let point = 0; point < points; point += 1) {
      await strikeOnce({
        jailClass,
        victim: victims[point % victims.length] ?? 'runtime',
        mode: random(3) === 0 ? 'race' : 'quiet',
        afterBytes: random(6),
        turns: random(40),
      });
    }
  }, 240_000);
});
