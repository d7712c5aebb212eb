import { ComponentFailure } from './failures.js';
import type { GuestProcess } from './guest.js';
import { defaults, type EffectiveLimits } from './limits.js';

/** One guest process that waits to be told what to run. */
export interface GuestAhead {
  /** Starts the process, unless one is waiting already. Whoever takes it is told when it could not be started. */
  start(label: string, open: () => Promise<GuestProcess>): void;
  /** The waiting process, for the one who asks first; null when there is none that fits. */
  take(request: GuestRequest): Promise<GuestProcess> | null;
  /** Kills the process when nobody took it. */
  drop(): Promise<void>;
}

export interface GuestRequest {
  readonly label: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limits: EffectiveLimits;
}

/** A process is made for its limits and its environment: started ahead, it has the default ones. */
function hasDefaults({ env, limits }: GuestRequest): boolean {
  return Object.keys(env).length === 0 && limits.memoryBytes === defaults.memoryBytes;
}

export function guestAhead(): GuestAhead {
  let waiting: { readonly label: string; readonly process: Promise<GuestProcess> } | null = null;
  return {
    start(label, open) {
      if (waiting !== null) return;
      const process = open();
      process.catch(() => {
        // Told to the one who takes it.
      });
      waiting = { label, process };
    },
    take(request) {
      if (waiting === null || waiting.label !== request.label || !hasDefaults(request)) return null;
      const { process } = waiting;
      waiting = null;
      return process;
    },
    async drop() {
      const unused = waiting;
      waiting = null;
      if (unused === null) return;
      const opened = await unused.process.catch(() => null);
      await opened?.talk.end(new ComponentFailure('exited', 'nobody needed the guest'));
    },
  };
}
