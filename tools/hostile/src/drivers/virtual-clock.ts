import type { Clock } from '@murmur/process-driver';

/**
 * A clock whose time passes when there is nothing else to do: a timer rings after a few turns of the event loop, and
 * then it is as late as the timer says. Ten minutes of silence take no time.
 */
export function createVirtualClock(): Clock {
  let now = 0;
  return {
    now: () => now,
    setTimer(callback, ms) {
      const at = now + ms;
      let canceled = false;
      let turns = 4;
      const turn = (): void => {
        if (canceled) return;
        turns -= 1;
        if (turns > 0) {
          setImmediate(turn);
          return;
        }
        now = Math.max(now, at);
        callback();
      };
      setImmediate(turn);
      return {
        cancel() {
          canceled = true;
        },
      };
    },
  };
}
