import type { DriverEvent } from '@murmur/driver-sdk';
import fc from 'fast-check';
import { falsify } from '../falsify.js';
import type { Finding, Property } from '../finding.js';
import { type Mutation, mutate, mutations } from '../mutations.js';
import { replay, same } from '../replay.js';
import type { TestDriver } from '../test-driver.js';
import { linesOf, type TurnCase, turnsOf } from '../transcript/case.js';

export const freshState: Property = {
  id: 'P13',
  name: 'fresh state',
  statement:
    'Every launch starts anew: an instance replays a recording with the same events again, whatever it read before, unfinished and mutated recordings included.',
  async check(driver, cases, options) {
    const turns = turnsOf(cases);
    if (turns.length === 0) return [];
    const first = new Map<TurnCase, readonly DriverEvent[]>();
    for (const turn of turns) {
      await driver.restart();
      const events = await replay(driver, turn, linesOf(turn));
      if (events !== undefined) first.set(turn, events);
    }
    await driver.restart();
    for (const [turn, expected] of first) {
      const lines = linesOf(turn);
      for (let cut = 0; cut <= lines.length; cut += Math.max(1, Math.floor(lines.length / 10))) {
        if (await unlike(driver, turn, expected, turn, lines.slice(0, cut)))
          return [finding(turn.name, turn.name, { linesBefore: cut })];
      }
    }
    const found = await falsify(
      fc.record({
        turn: fc.nat(turns.length - 1),
        before: fc.nat(turns.length - 1),
        changes: fc.oneof(fc.constant<readonly Mutation[]>([]), mutations),
      }),
      async (input) => {
        const turn = turns[input.turn];
        const before = turns[input.before];
        const expected = turn === undefined ? undefined : first.get(turn);
        if (turn === undefined || before === undefined || expected === undefined) return null;
        const lines = mutate(linesOf(before), input.changes);
        return (await unlike(driver, turn, expected, before, lines)) ? before.name : null;
      },
      options,
    );
    if (found === null) return [];
    return [finding(turns[found.input.turn]?.name ?? null, found.problem, { changes: found.input.changes })];
  },
};

/** Whether a recording gives other events behind these lines than on a fresh instance. */
async function unlike(
  driver: TestDriver,
  turn: TurnCase,
  expected: readonly DriverEvent[],
  before: TurnCase,
  lines: readonly string[],
): Promise<boolean> {
  if ((await replay(driver, before, lines)) === undefined) return false;
  const events = await replay(driver, turn, linesOf(turn));
  return events !== undefined && !same(events, expected);
}

function finding(name: string | null, before: string, counterexample: unknown): Finding {
  const problem = `the recording gives other events after ${before} was read by the same instance than on a fresh one`;
  return { property: 'P13', case: name, problem, counterexample };
}
