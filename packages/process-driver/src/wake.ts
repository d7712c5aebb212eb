import type { Clock } from './types.js';

/** The clock's reading that windows and durations are measured by. */
export function ticks(clock: Clock): number {
  return clock.monotonic?.() ?? clock.now();
}

/** Lets one loop wait for many sources: any of them wakes it, and a wake that comes early is not lost. */
export interface Wake {
  notify(): void;
  /** Resolves at the next notification, or at once if one came since the last wait. */
  wait(): Promise<void>;
}

export function createWake(): Wake {
  let pending = false;
  let resolve: (() => void) | null = null;
  return {
    notify() {
      if (resolve === null) {
        pending = true;
        return;
      }
      const wakeUp = resolve;
      resolve = null;
      wakeUp();
    },
    wait() {
      if (pending) {
        pending = false;
        return Promise.resolve();
      }
      return new Promise((done) => {
        resolve = done;
      });
    },
  };
}

/** A timer that is moved often but set rarely: it may ring early, so whoever it wakes looks at the clock again. */
export interface DeadlineTimer {
  /** Makes sure that it rings no later than `at`. */
  ringBy(at: number): void;
  cancel(): void;
}

export function createDeadlineTimer(clock: Clock, ring: () => void): DeadlineTimer {
  let armed: { readonly at: number; readonly timer: { cancel(): void } } | null = null;
  return {
    ringBy(at) {
      if (armed !== null && armed.at <= at) return;
      armed?.timer.cancel();
      const timer = clock.setTimer(
        () => {
          armed = null;
          ring();
        },
        Math.max(0, at - ticks(clock)),
      );
      armed = { at, timer };
    },
    cancel() {
      armed?.timer.cancel();
      armed = null;
    },
  };
}

/** Waits for `promise`, at most `boundMs` by the given clock. Tells whether it settled in time. */
export async function within(clock: Clock, boundMs: number, promise: Promise<unknown>): Promise<boolean> {
  let timer: { cancel(): void } | null = null;
  const bound = new Promise<false>((resolve) => {
    timer = clock.setTimer(() => resolve(false), boundMs);
  });
  try {
    return await Promise.race([
      promise.then(
        () => true,
        () => true,
      ),
      bound,
    ]);
  } finally {
    (timer as { cancel(): void } | null)?.cancel();
  }
}
