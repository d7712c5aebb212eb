import type { QuotaWindow } from './contract.js';
import { quotaWindows } from './limits.js';

const namePattern = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** The subscription windows a harness reported, kept for a whole session. Recorded and shown, never acted on. */
export interface QuotaWindows {
  /** Takes a report: each accepted window replaces the one of its name whole. */
  apply(report: readonly QuotaWindow[]): { readonly changed: boolean; readonly refusals: readonly string[] };
  /** All windows now standing, in the order their names first came. */
  snapshot(): readonly QuotaWindow[];
}

function refusal(window: QuotaWindow): string | null {
  if (!namePattern.test(window.name))
    return `quota window refused: its name is ${JSON.stringify(window.name.slice(0, 80))}`;
  const { used } = window;
  if (used !== undefined && !(Number.isFinite(used) && used >= 0 && used <= 1))
    return `quota window '${window.name}' refused: ${used} of it used is not a fraction from 0 to 1`;
  return null;
}

/** Makes an empty set of windows; pass the same one to every run of a session. */
export function createQuotaWindows(): QuotaWindows {
  const windows = new Map<string, QuotaWindow>();
  return {
    apply(report) {
      const refusals: string[] = [];
      let changed = false;
      for (const window of report) {
        const problem =
          refusal(window) ??
          (windows.size >= quotaWindows && !windows.has(window.name)
            ? `quota window '${window.name}' refused: ${quotaWindows} windows are already kept`
            : null);
        if (problem !== null) {
          refusals.push(problem);
          continue;
        }
        windows.set(window.name, window);
        changed = true;
      }
      return { changed, refusals };
    },
    snapshot: () => [...windows.values()],
  };
}

/** A window as trace lines and frames write it: absent members are absent, never 0. */
export function quotaWindowFields(window: QuotaWindow): Readonly<Record<string, unknown>> {
  return {
    name: window.name,
    ...(window.used === undefined ? {} : { used: window.used }),
    ...(window.resetsAt === undefined ? {} : { resets_at: window.resetsAt }),
    ...(window.windowMinutes === undefined ? {} : { window_minutes: window.windowMinutes }),
    ...(window.state === undefined ? {} : { state: window.state }),
  };
}
