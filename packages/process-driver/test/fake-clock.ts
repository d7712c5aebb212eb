import type { Clock } from '../src/types.js';

export interface FakeClock extends Clock {
  advance(ms: number): void;
  /** Timers that are set and have not rung. */
  readonly pending: number;
}

/** A clock that stands still until it is advanced. */
export function createFakeClock(start = 1_000_000): FakeClock {
  let now = start;
  const timers = new Set<{ readonly at: number; readonly ring: () => void }>();
  const ringDue = (): void => {
    for (const timer of [...timers].sort((a, b) => a.at - b.at)) {
      if (timer.at > now || !timers.delete(timer)) continue;
      timer.ring();
    }
  };
  return {
    now: () => now,
    setTimer(callback, ms) {
      const timer = { at: now + ms, ring: callback };
      timers.add(timer);
      if (ms <= 0) setImmediate(ringDue);
      return { cancel: () => timers.delete(timer) };
    },
    advance(ms) {
      now += ms;
      ringDue();
    },
    get pending() {
      return timers.size;
    },
  };
}
