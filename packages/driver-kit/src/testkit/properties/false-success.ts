import fc from 'fast-check';
import { falsify } from '../falsify.js';
import type { Finding, Property } from '../finding.js';
import { jsonObjectOf, retyped } from '../mutate-line.js';
import { noise, withNoise } from '../noise.js';
import { firstTerminal, replay } from '../replay.js';
import type { TestDriver } from '../test-driver.js';
import { linesOf, type TurnCase, turnsOf } from '../transcript/case.js';

export const falseSuccess: Property = {
  id: 'P4',
  name: 'no false success',
  statement:
    'A result that says the turn failed never becomes turn-end, whatever type its members have; a result that was cut short is a failure or no end at all.',
  async check(driver, cases, options) {
    const turns = turnsOf(cases).filter((turn) => firstTerminal(turn) !== null);
    if (turns.length === 0) return [];
    await driver.restart();
    const findings: Finding[] = [];
    for (const turn of turns) {
      const finding = (await failureAnswered(driver, turn)) ?? (await cutAnswered(driver, turn));
      if (finding !== null) findings.push(finding);
    }
    const failing = turns.filter((turn) => firstTerminal(turn)?.outcome === 'failed');
    if (findings.length > 0 || failing.length === 0) return findings;
    const found = await falsify(
      fc.record({
        turn: fc.nat(failing.length - 1),
        member: fc.nat(999),
        value: fc.oneof(fc.constantFrom<unknown>(null, 0, 1, 'no', [], {}), fc.jsonValue({ maxDepth: 1 })),
        pieces: fc.oneof(fc.constant([]), noise),
      }),
      async ({ turn, member, value, pieces }) => {
        const picked = failing[turn];
        const end = picked === undefined ? null : firstTerminal(picked);
        if (picked === undefined || end === null) return null;
        const lines = linesOf(picked).slice(0, end.line);
        const result = retyped(lines.at(-1) ?? '', member, value);
        const noisy = withNoise([...lines.slice(0, -1), result], pieces).lines;
        const events = await replay(driver, picked, noisy);
        if (events?.some(({ tag }) => tag === 'turn-end') !== true) return null;
        return `a failed turn becomes turn-end when its result reads ${result}`;
      },
      options,
    );
    if (found === null) return [];
    return [finding(failing[found.input.turn]?.name ?? null, found.problem, found.input)];
  },
};

async function failureAnswered(driver: TestDriver, turn: TurnCase): Promise<Finding | null> {
  const end = firstTerminal(turn);
  if (end?.outcome !== 'failed') return null;
  const events = await replay(driver, turn, linesOf(turn).slice(0, end.line));
  const answered = events?.some(({ tag }) => tag === 'turn-end') === true;
  return answered
    ? finding(turn.name, `line ${end.line} says that the turn failed, and becomes turn-end`)
    : null;
}

/** Most cuts of one line that are tried. */
const CUTS = 50;

async function cutAnswered(driver: TestDriver, turn: TurnCase): Promise<Finding | null> {
  const end = firstTerminal(turn);
  const lines = linesOf(turn);
  const line = lines[(end?.line ?? 0) - 1];
  // Half a JSON object is none; half a plain line may well be another line.
  if (end === null || line === undefined || jsonObjectOf(line) === undefined) return null;
  const before = lines.slice(0, end.line - 1);
  const step = Math.max(1, Math.floor(line.length / CUTS));
  for (let keep = line.trimEnd().length - 1; keep >= 0; keep -= step) {
    const events = await replay(driver, turn, [...before, line.slice(0, keep)]);
    if (events?.some(({ tag }) => tag === 'turn-end') === true)
      return finding(turn.name, `line ${end.line}, cut after ${keep} characters, still becomes turn-end`, {
        line: line.slice(0, keep),
      });
  }
  return null;
}

function finding(name: string | null, problem: string, counterexample: unknown = null): Finding {
  return { property: 'P4', case: name, problem, counterexample };
}
