import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type LoadedDriver, loadProcessDriver } from '@murmur/process-driver';
import { runHostileTurn } from '../drivers/hostile-turn.js';
import { plainComponents } from '../drivers/plain-components.js';
import { type ProcessScript, scriptedJail } from '../drivers/scripted-process.js';
import type { Generator } from '../generator.js';
import { hostileOutput, inPieces, recordedRuns } from '../mutate/harness-lines.js';
import { hostileTexts } from '../mutate/hostile-values.js';
import { Fault } from '../outcome.js';
import type { Random } from '../random.js';

/** A driver under test and what its harness printed in real runs. */
interface Subject {
  readonly name: string;
  readonly runs: readonly (readonly string[])[];
  open(): Promise<LoadedDriver>;
}

/** The `process` exports of a driver module. */
type DriverExports = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

/** Every driver that was bundled when this tool was built. */
async function subjects(root: string): Promise<readonly Subject[]> {
  const bundles = join(root, 'tools/hostile/dist/bundled');
  const found: Subject[] = [];
  for (const file of (await readdir(bundles)).sort()) {
    const name = file.replace(/\.js$/, '');
    const exports = ((await import(pathToFileURL(join(bundles, file)).href)) as { process: DriverExports })
      .process;
    const runs = recordedRuns(join(root, 'packages', name, 'test/transcripts'));
    if (runs.length === 0) throw new Error(`${name} has no recorded runs`);
    found.push({
      name,
      runs,
      // A driver remembers one run: a fresh one begins with its launch, as it does in a fresh instance.
      open: () =>
        loadProcessDriver({
          name,
          version: '0.1.0',
          bytes: new Uint8Array(),
          components: plainComponents((func, args) => exports[func]?.(...args)),
        }),
    });
  }
  return found;
}

/** How a harness that printed hostile output ends. */
export function hostileScript(stdout: readonly Buffer[], random: Random): ProcessScript {
  const killed = random.oneIn(6);
  return {
    stdout,
    stderr: random.oneIn(3)
      ? [Buffer.from(random.pick(hostileTexts)), random.bytes(random.skewed(9000))]
      : [],
    ends: !random.oneIn(10),
    code: killed ? null : random.pick([0, 0, 1, 2, 130, 255]),
    signal: killed ? random.pick([2, 9, 11, 15]) : null,
    deaf: random.oneIn(10),
  };
}

/** Output of harnesses through framing, drivers, events and turns, all in this process. */
export const harnessOutputGenerator: Generator = {
  name: 'harness-output',
  title: 'what harnesses print: cut, huge, split, not UTF-8, flooding, deep, through drivers into turns',
  share: 1,
  caseLimitMs: 60_000,
  async open({ root, scratch }) {
    const all = await subjects(root);
    const drivers = await Promise.all(all.map((subject) => subject.open()));
    const filesRoot = join(scratch, 'files');
    return {
      async tryCase(random) {
        const at = random.int(all.length);
        const [subject, driver] = [all[at], drivers[at]];
        if (subject === undefined || driver === undefined) throw new Error('no driver was bundled');
        const stdout = inPieces(hostileOutput(subject.runs, random), random);
        const { outcome } = await runHostileTurn({
          driver,
          jail: scriptedJail(hostileScript(stdout, random)),
          filesRoot,
          mode: random.oneIn(4) ? 'resume' : 'new',
          cancels: random.oneIn(12),
        });
        // A shipped driver answers every line: one that traps loses the turn.
        if (outcome.endsWith('E-RUN-034'))
          throw new Fault(`${subject.name} failed on what its harness printed`);
        return outcome;
      },
      [Symbol.asyncDispose]: async () => undefined,
    };
  },
};
