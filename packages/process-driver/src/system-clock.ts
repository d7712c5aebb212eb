import type { Clock } from './types.js';

/** The machine’s clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  // Stands still while the machine sleeps, so that a harness is not taken for silent when the lid is opened again.
  monotonic: () => performance.now(),
  setTimer(callback, ms) {
    const timer = setTimeout(callback, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};
