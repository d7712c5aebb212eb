import fc from 'fast-check';
import { falsify } from '../falsify.js';
import type { Finding, Property } from '../finding.js';
import { noise, withNoise } from '../noise.js';
import { firstTerminal, replayByLine, shown } from '../replay.js';
import type { TestDriver } from '../test-driver.js';
import { linesOf, type TurnCase, turnsOf } from '../transcript/case.js';

const ACCEPTED: readonly string[] = ['quota', 'suggested-prompt', 'note'];

export const afterTerminal: Property = {
  id: 'P17',
  name: 'after the end',
  statement:
    'Lines behind the one that ends the turn give only quota, suggested-prompt and note, until the harness names its session anew for a later turn.',
  async check(driver, cases, options) {
    const turns = turnsOf(cases).filter((turn) => firstTerminal(turn) !== null);
    if (turns.length === 0) return [];
    await driver.restart();
    const findings: Finding[] = [];
    for (const turn of turns) {
      const problem = await afterProblem(driver, turn, []);
      if (problem !== null) findings.push(finding(turn.name, problem, null));
    }
    if (findings.length > 0) return findings;
    const found = await falsify(
      fc.record({ turn: fc.nat(turns.length - 1), pieces: noise }),
      async ({ turn, pieces }) => {
        const picked = turns[turn];
        return picked === undefined ? null : afterProblem(driver, picked, pieces);
      },
      options,
    );
    if (found === null) return [];
    return [finding(turns[found.input.turn]?.name ?? null, found.problem, { noise: found.input.pieces })];
  },
};

async function afterProblem(
  driver: TestDriver,
  turn: TurnCase,
  pieces: Parameters<typeof withNoise>[1],
): Promise<string | null> {
  const end = firstTerminal(turn)?.line ?? 0;
  const { lines } = withNoise(linesOf(turn), pieces, end);
  const perLine = await replayByLine(driver, turn, lines);
  for (const event of perLine?.slice(end).flat() ?? []) {
    if (event.tag === 'session-started') return null;
    if (!ACCEPTED.includes(event.tag)) return `a line behind the end of the turn gives ${shown(event)}`;
  }
  return null;
}

function finding(name: string | null, problem: string, counterexample: unknown): Finding {
  return { property: 'P17', case: name, problem, counterexample };
}
