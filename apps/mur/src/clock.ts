/** The time that runs go by. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  setTimer(callback: () => void, ms: number): { cancel(): void };
}

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(callback, ms) {
    const timer = setTimeout(callback, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};
