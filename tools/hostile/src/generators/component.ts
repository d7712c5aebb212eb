import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createComponentRuntime, readNames } from '@murmur/components';
import { openJail } from '@murmur/containment';
import { loadProcessDriver } from '@murmur/process-driver';
import { childProcesses } from '../child-processes.js';
import type { Generator, Surroundings } from '../generator.js';
import { mutateSections, sectionsOf, withoutBulk } from '../mutate/wasm-sections.js';
import { Fault, outcomeOf } from '../outcome.js';
import { smallComponent } from './small-component.js';

async function realComponent(root: string): Promise<Buffer> {
  return readFile(join(root, 'packages/driver-codex/dist/component.wasm'));
}

/** Mutated components into the reader of names. */
export const componentNamesGenerator: Generator = {
  name: 'component-names',
  title: 'component binaries, section by section, into the reader of names',
  share: 1,
  caseLimitMs: 20_000,
  async open({ root }: Surroundings) {
    const real = await realComponent(root);
    const header = real.subarray(0, 8);
    const whole = sectionsOf(real);
    const lean = withoutBulk(whole);
    return {
      tryCase(random) {
        const bytes = mutateSections(header, random.oneIn(200) ? whole : lean, random);
        const { kind, imports, exports } = readNames(bytes);
        if (kind !== 'component' && imports.length + exports.length > 0)
          throw new Fault(`names were read from what is ${kind}`);
        return kind;
      },
      [Symbol.asyncDispose]: async () => undefined,
    };
  },
};

/** Mutated components on their whole way into a driver: checks, a transpiler in a child, a guest process. */
export const componentLoadGenerator: Generator = {
  name: 'component-load',
  title: 'the same binaries loaded as drivers: checked, transpiled in a child, started as a guest',
  share: 0.003,
  caseLimitMs: 120_000,
  async open({ root, scratch }: Surroundings) {
    const real = await realComponent(root);
    const header = real.subarray(0, 8);
    const whole = sectionsOf(real);
    const small = sectionsOf(smallComponent());
    const components = createComponentRuntime({
      cacheDirectory: join(scratch, 'components'),
      openJail: (label) => openJail({ class: 'advisory', label }),
    });
    return {
      async tryCase(random) {
        const bytes = mutateSections(header, random.oneIn(4) ? whole : small, random);
        const outcome = await outcomeOf(async () => {
          await loadProcessDriver({ name: 'hostile', version: '1.0.0', bytes, components });
          return 'loaded';
        });
        const left = await childProcesses();
        if (left.length > 0) throw new Fault(`processes live on after ${outcome}: ${left.join(', ')}`);
        return outcome;
      },
      [Symbol.asyncDispose]: async () => undefined,
    };
  },
};
