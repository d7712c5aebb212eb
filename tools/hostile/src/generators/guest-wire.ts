import { join } from 'node:path';
import { createComponentRuntime } from '@murmur/components';
import { openJail } from '@murmur/containment';
import { loadProcessDriver } from '@murmur/process-driver';
import { runHostileTurn } from '../drivers/hostile-turn.js';
import { scriptedJail } from '../drivers/scripted-process.js';
import { wireGuestJail } from '../drivers/wire-guest.js';
import type { Generator } from '../generator.js';
import { rawDescription, rawEvents, rawPlan } from '../mutate/raw-answers.js';
import { outcomeOf } from '../outcome.js';
import { createRandom, type Random } from '../random.js';
import { hostileScript } from './harness-output.js';
import { smallComponent } from './small-component.js';

function validAnswer(func: string): unknown {
  switch (func) {
    case 'describe':
      return rawDescription;
    case 'launch':
      return rawPlan;
    case 'parse':
      return rawEvents;
    default:
      return { tag: 'turn-end', val: 'done' };
  }
}

/** Guests that behave as no component should: frames out of turn, lies about lengths and ids, values that are none. */
export const guestWireGenerator: Generator = {
  name: 'guest-wire',
  title: 'behaviour of guests: frames out of turn, cut, lying, bombs, through loading and a turn',
  share: 1,
  caseLimitMs: 60_000,
  async open({ scratch }) {
    const filesRoot = join(scratch, 'files');
    let random: Random = createRandom('open');
    // Compiled once by the real toolchain; only the guests that are to run it are not there.
    const cacheDirectory = join(scratch, 'components');
    const bytes = smallComponent();
    await createComponentRuntime({
      cacheDirectory,
      openJail: (label) => openJail({ class: 'advisory', label }),
    }).prepare(bytes, { allowImports: () => false });
    const wire = createComponentRuntime({
      cacheDirectory,
      openJail: async () => wireGuestJail(() => random, validAnswer),
    });
    // Nothing is remembered: each case asks for the description again.
    const components = { ...wire, recall: async () => null, remember: async () => undefined };
    return {
      tryCase(chosen) {
        random = chosen;
        return outcomeOf(async () => {
          const driver = await loadProcessDriver({ name: 'hostile', version: '1.0.0', bytes, components });
          const jail = scriptedJail(hostileScript([Buffer.from('line\n')], chosen));
          const { outcome } = await runHostileTurn({
            driver,
            jail,
            filesRoot,
            mode: 'new',
            cancels: chosen.oneIn(20),
          });
          return `loaded, ${outcome}`;
        });
      },
      [Symbol.asyncDispose]: async () => undefined,
    };
  },
};
