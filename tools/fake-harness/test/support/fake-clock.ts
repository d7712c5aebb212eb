import type { Clock } from '@murmur/process-driver';

export interface FakeClock extends Clock {
  advance(ms: number): void;
  /** Resolves once a timer is set that rings exactly this long from now. */
  whenTimer(ms: number): Promise<void>;
}

/** A clock that stands still until it is advanced. */
export function createFakeClock(start = 1_000_000): FakeClock {
  let now = start;
  const timers = new Set<{ readonly at: number; readonly ring: () => void }>();
  const watchers = new Set<() => void>();
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
      for (const look of [...watchers]) look();
      if (ms <= 0) setImmediate(ringDue);
      return { cancel: () => timers.delete(timer) };
    },
    advance(ms) {
      now += ms;
      ringDue();
    },
    whenTimer: (ms) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (![...timers].some((timer) => timer.at === now + ms)) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      }),
  };
}
