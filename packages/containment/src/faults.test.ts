import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { compileFixture, compileWarden } from '../test/support/compile.js';
import { scratchDirectory } from '../test/support/scratch.js';
import { request } from '../test/support/spawn.js';
import { runContained } from './contained-process.js';
import { planJail } from './jail-plan.js';
import { toLaunchSpec } from './spawn-request.js';
import { locateWarden } from './warden-location.js';

const directory = scratchDirectory();
const root = process.getuid?.() === 0;
const faultFile = path.join(directory, 'fault');
const faults = fileURLToPath(new URL('../test/fixtures/faults.c', import.meta.url));
const names = [...readFileSync(faults, 'utf8').matchAll(/^FAULT\((\w+)\)$/gm)].map(([, name = '']) => name);

const strict = compileFixture(directory, 'strict', { flags: ['-static'] });
const faulty = compileWarden(directory, 'faulty', [
  faults,
  `-DFAULT_FILE="${faultFile}"`,
  `-Wl,${names.map((name) => `--wrap=${name}`).join(',')}`,
  '-static',
  '-U_FORTIFY_SOURCE',
]);

/** More than the warden makes of each, so that the last runs are without a fault. */
const CALLS: Readonly<Record<string, number>> = {
  syscall: 640,
  prctl: 150,
  mkdirat: 90,
  open: 180,
  openat: 40,
};
const FEW = 24;

/** Made only where the runtime may choose whom a program runs as. */
const AS_ROOT = ['getgroups', 'setgroups', 'fchown'];

const jail = planJail('sealed', { executables: [strict] });
const launch = {
  ...toLaunchSpec(request(strict, [], { stdout: 'pipe', limits: { openFiles: 64 } })),
  jail,
};

/** `killed`: the first process of the jail ended while the program ran, and took it with it. */
type Outcome = 'refused' | 'killed' | 'whole' | 'weaker';

async function runWith(warden: string, name: string, which: number): Promise<Outcome> {
  writeFileSync(faultFile, `${name} ${which}\n`);
  const contained = runContained('test', warden, launch);
  const outcome = await contained.started.then(
    async ({ exited, stdout }): Promise<Outcome> => {
      stdout?.resume();
      const { code, signal } = await exited;
      if (code === 0) return 'whole';
      return code === null && signal === constants.signals.SIGKILL ? 'killed' : 'weaker';
    },
    () => 'refused' as const,
  );
  await contained.gone;
  return outcome;
}

describe('a warden of which one call fails', () => {
  it('is built of every source', () => {
    expect(execFileSync(faulty, ['--version'], { encoding: 'utf8' })).toBe('warden 2\n');
    expect(names.length).toBeGreaterThan(30);
  });

  it('would be noticed: outside, not one of the layers holds', async () => {
    const { jail: _, ...bare } = launch;
    const contained = runContained('test', locateWarden(), bare);
    const { exited } = await contained.started;
    expect((await exited).code).not.toBe(0);
  });

  it.each(names)(
    '%s: the program sees every layer, or is not executed',
    async (name) => {
      const outcomes: Outcome[] = [];
      for (let which = 1; which <= (CALLS[name] ?? FEW); which += 1) {
        const outcome = await runWith(faulty, name, which);
        expect([name, which, outcome]).not.toEqual([name, which, 'weaker']);
        outcomes.push(outcome);
      }
      // The last one is beyond every call that is made, so the program really is able to see its layers.
      expect(outcomes.at(-1)).toBe('whole');
      if (root || !AS_ROOT.includes(name)) expect(outcomes.some((outcome) => outcome !== 'whole')).toBe(true);
    },
    240_000,
  );
});
