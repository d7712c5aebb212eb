import type { Usage } from '@murmur/driver-sdk';
import type { Finding, Property } from '../finding.js';
import { replay } from '../replay.js';
import { linesOf, turnsOf } from '../transcript/case.js';

const MEMBERS = ['input', 'output', 'cacheRead', 'cacheCreation', 'thinking'] as const;

export const usageParts: Property = {
  id: 'P6',
  name: 'usage parts',
  statement:
    'thinking is never more than output, input holds no cached tokens, and the last totals are those that meta.json says the recording has.',
  async check(driver, cases) {
    const turns = turnsOf(cases);
    if (turns.length === 0) return [];
    await driver.restart();
    const findings: Finding[] = [];
    for (const turn of turns) {
      const events = await replay(driver, turn, linesOf(turn));
      if (events === undefined) continue;
      const reports = events.flatMap((event) => (event.tag === 'usage' ? [event.val] : []));
      const problem = partsProblem(reports) ?? totalsProblem(turn.meta.usage, reports.at(-1));
      if (problem !== null) findings.push({ property: 'P6', case: turn.name, problem, counterexample: null });
    }
    return findings;
  },
};

function partsProblem(reports: readonly Usage[]): string | null {
  const wrong = reports.find(
    ({ thinking, output }) => thinking !== undefined && output !== undefined && thinking > output,
  );
  return wrong === undefined
    ? null
    : `thinking is ${wrong.thinking}, more than the output of ${wrong.output} that it is a part of`;
}

function totalsProblem(wanted: Usage | null, last: Usage | undefined): string | null {
  // A recording without figures, or a driver without reports, is the concern of other properties.
  if (wanted === null || last === undefined) return null;
  const wrong = MEMBERS.find((member) => wanted[member] !== last[member]);
  return wrong === undefined
    ? null
    : `${wrong} is reported as ${last[wrong] ?? 'absent'}, the recording has ${wanted[wrong] ?? 'none'}`;
}
