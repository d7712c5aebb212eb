import { openJail } from '@murmur/containment';
import { inMs, type Paired, pairedRuns } from './measure.js';
import { findProgram, plainEnvironment, runQuietly } from './spawn.js';
import type { Bench, BenchRow } from './types.js';

const BWRAP_ARGS = [
  '--unshare-all',
  '--die-with-parent',
  '--ro-bind',
  '/',
  '/',
  '--dev',
  '/dev',
  '--proc',
  '/proc',
];

/** One contained command, from Node and back. */
export const spawnBench: Bench = {
  name: 'spawn',
  title: 'one contained command (advisory) against Node’s own spawn and bubblewrap',
  async run({ scratch, quick }) {
    const program = (await findProgram('true')) ?? '/bin/true';
    const env = plainEnvironment(scratch);
    await using jail = await openJail({ class: 'advisory', label: 'bench' });
    const contained = async (): Promise<void> => {
      const child = await jail.spawn({
        program,
        args: [],
        env,
        cwd: scratch,
        stdin: 'null',
        stdout: 'null',
        stderr: 'null',
      });
      await child.exited;
    };
    const rounds = quick ? 20 : 200;
    const row = (
      what: string,
      against: string,
      { firstMs, secondMs, ratio }: Paired,
      budget: BenchRow['budget'],
    ): BenchRow => ({
      what,
      measured: inMs(firstMs),
      against: `${against}: ${inMs(secondMs)}`,
      ratio,
      budget,
    });
    const bare = await pairedRuns(contained, () => runQuietly(program, [], { cwd: scratch, env }), rounds);
    const rows = [row('true through the warden', 'child_process.spawn', bare, null)];
    const bwrap = await findProgram('bwrap');
    if (bwrap !== null) {
      const peer = () => runQuietly(bwrap, [...BWRAP_ARGS, program], { cwd: scratch, env });
      rows.push(
        row('true through the warden', 'bubblewrap', await pairedRuns(contained, peer, rounds), null),
      );
    }
    return rows;
  },
};
