/** The time that runs go by. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds that no adjustment of the clock and no sleep of the machine moves; windows are measured in it. */
  monotonic?(): number;
  setTimer(callback: () => void, ms: number): { cancel(): void };
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(callback, ms) {
    const timer = setTimeout(callback, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};
