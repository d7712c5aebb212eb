import type { DriverEvent, LaunchRequest } from '@murmur/driver-sdk';
import fc from 'fast-check';
import { falsify } from '../falsify.js';
import type { Finding, Property } from '../finding.js';
import { type Mutation, mutate, mutations } from '../mutations.js';
import { batchesOf, replayBatches, same, shown } from '../replay.js';
import type { TestDriver } from '../test-driver.js';
import { linesOf, turnsOf } from '../transcript/case.js';

export const batches: Property = {
  id: 'P2',
  name: 'batch invariance',
  statement:
    'The events of a recording do not depend on how its lines are batched: every single split, line by line, 256 at a time, and at random, mutated recordings included. parse([]) gives nothing and changes nothing.',
  async check(driver, cases, options) {
    const turns = turnsOf(cases);
    if (turns.length === 0) return [];
    await driver.restart();
    const findings: Finding[] = [];
    for (const turn of turns) {
      const lines = linesOf(turn);
      const splits = lines.map((_, at) => [lines.slice(0, at), lines.slice(at)]);
      const shapes = [batchesOf(lines), batchesOf(lines, 1), [[], lines, []], ...splits];
      const finding = await firstDifference(driver, turn.name, turn.request, lines, shapes);
      if (finding !== null) findings.push(finding);
    }
    if (findings.length > 0) return findings;
    const found = await falsify(
      fc.record({
        turn: fc.nat(turns.length - 1),
        changes: fc.oneof(fc.constant<readonly Mutation[]>([]), mutations),
        sizes: fc.array(fc.nat(6), { minLength: 1, maxLength: 12 }),
      }),
      async ({ turn, changes, sizes }) => {
        const picked = turns[turn];
        if (picked === undefined) return null;
        const lines = mutate(linesOf(picked), changes);
        const shape = partition(lines, sizes);
        return (await firstDifference(driver, picked.name, picked.request, lines, [shape]))?.problem ?? null;
      },
      options,
    );
    if (found === null) return [];
    const turn = turns[found.input.turn];
    return [
      {
        property: 'P2',
        case: turn?.name ?? null,
        problem: found.problem,
        counterexample: { changes: found.input.changes, batchSizes: found.input.sizes },
      },
    ];
  },
};

/** Batches of these sizes, the rest in one. */
function partition(lines: readonly string[], sizes: readonly number[]): readonly (readonly string[])[] {
  const parts: (readonly string[])[] = [];
  let at = 0;
  for (const size of sizes) {
    parts.push(lines.slice(at, at + size));
    at += size;
  }
  return [...parts, lines.slice(at)];
}

async function firstDifference(
  driver: TestDriver,
  name: string,
  request: LaunchRequest,
  lines: readonly string[],
  shapes: readonly (readonly (readonly string[])[])[],
): Promise<Finding | null> {
  const expected = await replayBatches(driver, request, [lines]);
  if (expected === undefined) return null;
  for (const shape of shapes) {
    if (same(await replayBatches(driver, request, shape), expected)) continue;
    // Once more, each on a fresh instance: what an earlier run left behind is the concern of P13.
    await driver.restart();
    const whole = await replayBatches(driver, request, [lines]);
    await driver.restart();
    const events = await replayBatches(driver, request, shape);
    if (events === undefined || whole === undefined || same(events, whole)) continue;
    return {
      property: 'P2',
      case: name,
      problem: `in one batch the lines give ${shown(differing(whole, events))}, in batches of ${shape.map((batch) => batch.length).join(', ')} they give ${shown(differing(events, whole))}`,
      counterexample: { batchSizes: shape.map((batch) => batch.length) },
    };
  }
  return null;
}

/** The first event that the other list does not have at its place. */
function differing(events: readonly DriverEvent[], others: readonly DriverEvent[]): unknown {
  return events.find((event, at) => !same(event, others[at])) ?? `${events.length} events`;
}
