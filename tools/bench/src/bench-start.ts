import { join } from 'node:path';
import { inMs, pairedRuns } from './measure.js';
import { plainEnvironment, runQuietly } from './spawn.js';
import type { Bench } from './types.js';

/** What `mur` costs before it does anything. */
export const startBench: Bench = {
  name: 'start',
  title: '`mur --version` against `node -e 0`',
  async run({ root, scratch, quick }) {
    const options = { cwd: scratch, env: plainEnvironment(scratch) };
    const mur = join(root, 'apps/mur/dist/mur.js');
    const { firstMs, secondMs, ratio } = await pairedRuns(
      () => runQuietly(process.execPath, [mur, '--version'], options),
      () => runQuietly(process.execPath, ['-e', '0'], options),
      quick ? 5 : 25,
    );
    return [
      {
        what: 'mur --version',
        measured: inMs(firstMs),
        against: `node -e 0: ${inMs(secondMs)}`,
        ratio,
        budget: { kind: 'at-most', ratio: 2 },
      },
    ];
  },
};
