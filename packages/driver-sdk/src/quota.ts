import { note, quota } from './events.js';
import type { DriverEvent, QuotaWindow } from './generated/contract.js';

const WINDOW_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** Whether a window name is one the runtime accepts. */
export function isQuotaWindowName(name: string): boolean {
  return WINDOW_NAME.test(name);
}

/** A percentage as the fraction the contract wants. */
export function fractionFromPercent(percent: number | undefined): number | undefined {
  return percent === undefined ? undefined : percent / 100;
}

/** Seconds as milliseconds, for reset times. */
export function msFromSeconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.round(seconds * 1000);
}

/**
 * Completes sparse reports: a window of the contract replaces its predecessor whole, so members a harness left
 * out this time are filled from its last report of that window.
 */
export interface QuotaMerger {
  /** Events for one report; a window the runtime would refuse becomes a note instead. */
  report(windows: readonly QuotaWindow[]): readonly DriverEvent[];
}

export function createQuotaMerger(): QuotaMerger {
  const known = new Map<string, QuotaWindow>();
  return {
    report(windows) {
      const notes: DriverEvent[] = [];
      const reported = new Map<string, QuotaWindow>();
      for (const window of windows) {
        const problem = windowProblem(window);
        if (problem !== undefined) {
          notes.push(note(`quota window left out: ${problem}`));
          continue;
        }
        const merged = { ...known.get(window.name), ...presentMembers(window) };
        known.set(window.name, merged);
        reported.set(window.name, merged);
      }
      return reported.size === 0 ? notes : [...notes, quota([...reported.values()])];
    },
  };
}

function windowProblem(window: QuotaWindow): string | undefined {
  if (!isQuotaWindowName(window.name)) return `its name is not 1 to 64 of a-z, 0-9 and '-'`;
  const { used } = window;
  if (used !== undefined && !(used >= 0 && used <= 1))
    return `${window.name} is used by ${used}, not by a fraction from 0 to 1`;
  return undefined;
}

function presentMembers(window: QuotaWindow): QuotaWindow {
  return Object.fromEntries(
    Object.entries(window).filter(([, value]) => value !== undefined),
  ) as unknown as QuotaWindow;
}
