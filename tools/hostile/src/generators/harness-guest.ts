import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createComponentRuntime } from '@murmur/components';
import { openJail } from '@murmur/containment';
import { loadProcessDriver, systemClock } from '@murmur/process-driver';
import { fakeAgentPath } from '@murmur-tools/fake-harness';
import { childProcesses } from '../child-processes.js';
import { runHostileTurn } from '../drivers/hostile-turn.js';
import type { Generator } from '../generator.js';
import { hostileOutput, recordedRuns } from '../mutate/harness-lines.js';
import { Fault } from '../outcome.js';
import { writeHarnessScript } from './harness-script.js';

/** The same output from a real process, read by the real component in a real guest. */
export const harnessGuestGenerator: Generator = {
  name: 'harness-guest',
  title: 'the same output from a real process, read by the real driver component',
  share: 0.002,
  caseLimitMs: 120_000,
  async open({ root, scratch }) {
    const name = 'driver-codex';
    const runs = recordedRuns(join(root, 'packages', name, 'test/transcripts'));
    const components = createComponentRuntime({
      cacheDirectory: join(scratch, 'components'),
      openJail: (label) => openJail({ class: 'advisory', label }),
    });
    const bytes = await readFile(join(root, 'packages', name, 'dist/component.wasm'));
    const driver = await loadProcessDriver({ name, version: '0.1.0', bytes, components });
    const script = join(scratch, 'script.json');
    return {
      async tryCase(random) {
        await writeHarnessScript(script, hostileOutput(runs, random), random);
        const jail = await openJail({ class: 'advisory', label: 'harness' });
        try {
          const { outcome } = await runHostileTurn({
            driver,
            jail,
            filesRoot: join(scratch, 'files'),
            mode: random.oneIn(4) ? 'resume' : 'new',
            cancels: random.oneIn(12),
            changes: {
              binary: { path: fakeAgentPath, source: 'inference.command' },
              env: { PATH: process.env.PATH ?? '/usr/bin:/bin', FAKE_SCRIPT: script },
              cwd: scratch,
              clock: systemClock,
            },
          });
          if (outcome.endsWith('E-RUN-034')) throw new Fault(`${name} failed on what its harness printed`);
          const left = await childProcesses();
          if (left.length > 0) throw new Fault(`processes live on after ${outcome}: ${left.join(', ')}`);
          return outcome;
        } finally {
          await jail[Symbol.asyncDispose]();
        }
      },
      [Symbol.asyncDispose]: async () => undefined,
    };
  },
};
