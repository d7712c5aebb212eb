import { performance } from 'node:perf_hooks';
import { miniAgentPath } from '@murmur-tools/mini-harness';
import { startModelServer } from '@murmur-tools/model-server';
import { makeMiniCapsule } from './capsule.js';
import { inMs, median, timed } from './measure.js';
import { plainEnvironment, runQuietly } from './spawn.js';
import type { Bench, BenchRow } from './types.js';

const TASK = 'When I say ping you say?';

/** What `mur run` adds to a harness: until it first asks the model, and in all. */
export const runBench: Bench = {
  name: 'run',
  title: '`mur run` on the mini harness, less the harness alone, against `node -e 0`',
  async run({ root, scratch, quick, progress }) {
    const model = await startModelServer();
    try {
      const capsule = await makeMiniCapsule(root, scratch, model.url);
      const plain = plainEnvironment(scratch);
      // Runs one command and tells when the model was first asked, and when it ended.
      async function measured(
        program: string,
        args: readonly string[],
        cwd: string,
        env: Readonly<Record<string, string>>,
      ) {
        const before = model.requestsOf('').length;
        const start = performance.now();
        const asked = model.seen('', before + 1).then(() => performance.now() - start);
        await runQuietly(program, args, { cwd, env, stdin: TASK });
        return { askedMs: await asked, endedMs: performance.now() - start };
      }
      const alone = () => measured(miniAgentPath, ['run'], scratch, { ...plain, MINI_BASE_URL: model.url });
      const throughMur = () =>
        measured(process.execPath, [capsule.mur, 'run', '--task', TASK], capsule.project, capsule.env);
      const node = () => timed(() => runQuietly(process.execPath, ['-e', '0'], { cwd: scratch, env: plain }));

      const rows: BenchRow[] = [];
      for (const cache of ['warm', 'cold'] as const) {
        const rounds = quick ? 3 : cache === 'warm' ? 15 : 7;
        const asked: number[] = [];
        const ended: number[] = [];
        const ratios: number[] = [];
        const nodes: number[] = [];
        if (cache === 'warm') await throughMur();
        for (let round = 0; round < rounds; round += 1) {
          progress(`${cache} ${round + 1}/${rounds}`);
          if (cache === 'cold') await capsule.forget();
          const mur = await throughMur();
          const harness = await alone();
          const nodeMs = await node();
          asked.push(mur.askedMs - harness.askedMs);
          ended.push(mur.endedMs - harness.endedMs);
          ratios.push((mur.askedMs - harness.askedMs) / nodeMs);
          nodes.push(nodeMs);
        }
        rows.push(
          {
            what: `until the harness asks, ${cache}`,
            measured: inMs(median(asked)),
            against: `node -e 0: ${inMs(median(nodes))}`,
            ratio: median(ratios),
            budget: cache === 'warm' ? { kind: 'at-most', ratio: 6 } : null,
          },
          {
            what: `the whole run, ${cache}`,
            measured: inMs(median(ended)),
            against: `node -e 0: ${inMs(median(nodes))}`,
            ratio: median(ended) / median(nodes),
            budget: null,
          },
        );
      }
      return rows;
    } finally {
      await model.close();
    }
  },
};
