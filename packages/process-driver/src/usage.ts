import type { Usage } from './contract.js';

const members = ['input', 'output', 'cacheRead', 'cacheCreation', 'thinking'] as const;

/** What a harness said it spent, and how much of that was already written to a turn. */
export interface UsageLedger {
  /** Overlays a report: members it carries replace the held ones, the others stand. */
  report(usage: Usage): void;
  /** The growth of each member since it was last taken. A member that was never reported stays absent. */
  takeGrowth(): Usage;
  /** True when a turn that closed now would be charged something. */
  hasOutstanding(): boolean;
}

/**
 * Reports are totals of the whole process, so a repeated total adds nothing and one that shrinks counts as 0 until it
 * has grown past its largest figure again. Absent is never 0.
 */
export function createUsageLedger(): UsageLedger {
  let latest: Usage = {};
  const attributed: Partial<Record<(typeof members)[number], number>> = {};

  function growth(member: (typeof members)[number]): number | undefined {
    const total = latest[member];
    return total === undefined ? undefined : Math.max(0, total - (attributed[member] ?? 0));
  }

  return {
    report(usage) {
      const present = Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== undefined));
      latest = { ...latest, ...present };
    },
    takeGrowth() {
      const taken: Partial<Record<(typeof members)[number], number>> = {};
      for (const member of members) {
        const grown = growth(member);
        if (grown === undefined) continue;
        taken[member] = grown;
        attributed[member] = (attributed[member] ?? 0) + grown;
      }
      return taken;
    },
    hasOutstanding: () => members.some((member) => (growth(member) ?? 0) > 0),
  };
}
