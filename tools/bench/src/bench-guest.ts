import { performance } from 'node:perf_hooks';
import { benchComponents, miniComponent } from './driver.js';
import { median } from './measure.js';
import type { Bench } from './types.js';

const INSTANCE = 'murmur:driver/process@0.6.0';
const BUDGET_US = 200;

/** A call into a guest and back, with next to nothing in it. */
export const guestBench: Bench = {
  name: 'guest',
  title: 'a small guest call',
  async run({ root, scratch, quick }) {
    const components = benchComponents(scratch);
    const component = await components.prepare(await miniComponent(root), {
      allowImports: (name) => name.startsWith('wasi:'),
    });
    await using guest = await components.start(component, { label: 'bench' });
    const callUs = async (): Promise<number> => {
      const start = performance.now();
      await guest.call(INSTANCE, 'parse', [[]], { deadlineMs: 30_000 });
      return (performance.now() - start) * 1000;
    };
    const times: number[] = [];
    const warmUp = 500;
    for (let call = 0; call < warmUp + (quick ? 1000 : 10_000); call += 1) {
      const us = await callUs();
      if (call >= warmUp) times.push(us);
    }
    const middle = median(times);
    return [
      {
        what: 'parse([])',
        measured: `${middle.toFixed(0)} µs`,
        against: `${BUDGET_US} µs`,
        ratio: middle / BUDGET_US,
        budget: { kind: 'at-most', ratio: 1 },
      },
    ];
  },
};
