import type { DriverEvent, QuotaWindow } from '@murmur/driver-sdk';
import { createQuotaWindows, type QuotaWindow as KeptWindow } from '@murmur/process-driver';
import type { Property } from '../finding.js';
import { turnsOf } from '../transcript/case.js';
import { tryWithNoise } from './with-noise.js';

const MEMBERS = ['used', 'resetsAt', 'windowMinutes', 'state'] as const;

export const quotaWindows: Property = {
  id: 'P10',
  name: 'quota windows',
  statement:
    'The runtime refuses no window that the driver reports, and a later report of a window has every member that an earlier one had.',
  check: (driver, cases, options) =>
    tryWithNoise(driver, turnsOf(cases), options, (turn, events) => {
      const problem = windowsProblem(events);
      return problem === null ? null : { property: 'P10', case: turn.name, problem, counterexample: null };
    }),
};

function windowsProblem(events: readonly DriverEvent[]): string | null {
  const kept = createQuotaWindows();
  const known = new Map<string, QuotaWindow>();
  for (const event of events) {
    if (event.tag !== 'quota') continue;
    const [refusal] = kept.apply(event.val.map(keptWindow)).refusals;
    if (refusal !== undefined) return refusal;
    for (const window of event.val) {
      const before = known.get(window.name);
      const lost = MEMBERS.find((member) => before?.[member] !== undefined && window[member] === undefined);
      if (lost !== undefined) return `a later report of the window ${window.name} has lost ${lost}`;
      known.set(window.name, window);
    }
  }
  return null;
}

function keptWindow(window: QuotaWindow): KeptWindow {
  const { name, used, resetsAt, windowMinutes, state } = window;
  return {
    name,
    ...(used === undefined ? {} : { used }),
    ...(resetsAt === undefined ? {} : { resetsAt }),
    ...(windowMinutes === undefined ? {} : { windowMinutes }),
    ...(state === undefined ? {} : { state }),
  };
}
