import type { DriverEvent } from '@murmur/driver-sdk';
import fc from 'fast-check';
import { falsify } from '../falsify.js';
import type { Finding, PropertyOptions } from '../finding.js';
import { noise, withNoise } from '../noise.js';
import { replay } from '../replay.js';
import type { TestDriver } from '../test-driver.js';
import { linesOf, type TurnCase } from '../transcript/case.js';

/** Judges the events of every recording as it is, and then of recordings with noise between their lines. */
export async function tryWithNoise(
  driver: TestDriver,
  turns: readonly TurnCase[],
  options: PropertyOptions,
  judge: (turn: TurnCase, events: readonly DriverEvent[]) => Finding | null,
): Promise<readonly Finding[]> {
  if (turns.length === 0) return [];
  await driver.restart();
  const findings: Finding[] = [];
  for (const turn of turns) {
    const events = await replay(driver, turn, linesOf(turn));
    const finding = events === undefined ? null : judge(turn, events);
    if (finding !== null) findings.push(finding);
  }
  if (findings.length > 0) return findings;
  let worst: Finding | null = null;
  const found = await falsify(
    fc.record({ turn: fc.nat(turns.length - 1), pieces: noise }),
    async ({ turn, pieces }) => {
      const picked = turns[turn];
      if (picked === undefined) return null;
      const events = await replay(driver, picked, withNoise(linesOf(picked), pieces).lines);
      const finding = events === undefined ? null : judge(picked, events);
      if (finding !== null) worst = finding;
      return finding?.problem ?? null;
    },
    options,
  );
  if (found === null || worst === null) return [];
  return [{ ...(worst as Finding), problem: found.problem, counterexample: { noise: found.input.pieces } }];
}
