import type { DriverEvent, Usage } from '@murmur/driver-sdk';
import { createUsageLedger } from '@murmur/process-driver';
import type { Finding, Property } from '../finding.js';
import { isTerminal, shown } from '../replay.js';
import { type TurnCase, turnsOf } from '../transcript/case.js';
import { tryWithNoise } from './with-noise.js';

const MEMBERS = ['input', 'output', 'cacheRead', 'cacheCreation', 'thinking'] as const;

export const usageGrowth: Property = {
  id: 'P5',
  name: 'usage monotone',
  statement:
    'Reported totals never shrink, and a member once reported is in every later report. Charging their growth as the runtime does gives exactly the last totals. Where the recording has counts, a report comes before the end of the turn.',
  check: (driver, cases, options) => tryWithNoise(driver, turnsOf(cases), options, judge),
};

function judge(turn: TurnCase, events: readonly DriverEvent[]): Finding | null {
  const finding = (problem: string): Finding => ({
    property: 'P5',
    case: turn.name,
    problem,
    counterexample: null,
  });
  const ledger = createUsageLedger();
  const charged: Partial<Record<(typeof MEMBERS)[number], number>> = {};
  let last: Usage = {};
  for (const event of events) {
    if (event.tag !== 'usage') continue;
    for (const member of MEMBERS) {
      const before = last[member];
      const now = event.val[member];
      if (before !== undefined && now === undefined)
        return finding(`${member} was reported as ${before} and is missing from a later report`);
      if (before !== undefined && now !== undefined && now < before)
        return finding(`${member} shrinks from ${before} to ${now}`);
    }
    last = event.val;
    ledger.report(reported(event.val));
    const growth = ledger.takeGrowth();
    for (const member of MEMBERS) {
      const grown = growth[member];
      if (grown !== undefined) charged[member] = (charged[member] ?? 0) + grown;
    }
  }
  for (const member of MEMBERS)
    if (charged[member] !== last[member])
      return finding(
        `${member} is charged as ${charged[member]}, the last report says ${shown(last[member])}`,
      );
  const end = events.findIndex(isTerminal);
  const first = events.findIndex(({ tag }) => tag === 'usage');
  if (turn.meta.usage !== null && end >= 0 && (first < 0 || first > end))
    return finding('the recording has token counts, and none are reported before the end of the turn');
  return null;
}

function reported(usage: Usage): Readonly<Partial<Record<(typeof MEMBERS)[number], number>>> {
  return Object.fromEntries(Object.entries(usage).filter(([, count]) => count !== undefined));
}
