import type { DriverEvent, LaunchPlan } from '@murmur/driver-sdk';
import type { Finding } from './finding.js';
import { plainValue } from './plain-value.js';
import { exitOf, isTerminal, replayByLine, same, shown } from './replay.js';
import { answerOf, type TestDriver } from './test-driver.js';
import { linesOf, type TerminalLine, type TranscriptCase, turnsOf } from './transcript/case.js';

/** What a driver makes of a recorded turn. */
export interface ReadTurn {
  readonly plan: LaunchPlan;
  /** All events; where no line ends the turn, the judgement of its exit is the last. */
  readonly events: readonly DriverEvent[];
  readonly terminalLines: readonly TerminalLine[];
}

/** Plans a recorded turn and reads it; undefined when a call gave no answer. */
export async function readTurn(
  driver: TestDriver,
  turn: ReturnType<typeof turnsOf>[number],
): Promise<ReadTurn | undefined> {
  const plan = await answerOf(driver.launch(turn.request));
  const perLine = await replayByLine(driver, turn, linesOf(turn));
  if (plan === undefined || perLine === undefined) return undefined;
  const events = [...perLine.flat()];
  if (!events.some(isTerminal)) {
    const judged = await answerOf(driver.classifyExit(exitOf(turn, false)));
    if (judged === undefined) return undefined;
    events.push(judged);
  }
  const terminalLines = perLine.flatMap((read, at) => {
    const end = read.find(isTerminal);
    if (end === undefined) return [];
    return [{ line: at + 1, outcome: end.tag === 'turn-end' ? ('answered' as const) : ('failed' as const) }];
  });
  return { plan, events, terminalLines };
}

/** Where plans and events differ from those that were reviewed by hand. */
export async function checkGoldens(
  driver: TestDriver,
  cases: readonly TranscriptCase[],
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  await driver.restart();
  for (const turn of turnsOf(cases)) {
    if (turn.plan === null && turn.events === null) continue;
    const read = await readTurn(driver, turn);
    // A call without an answer is told by the property about that call.
    if (read === undefined) continue;
    if (turn.plan !== null && !same(plainValue(turn.plan), plainValue(read.plan)))
      findings.push({
        property: 'plan',
        case: turn.name,
        problem: `the plan is not the reviewed one: ${firstDifference(turn.plan, read.plan)}`,
        counterexample: null,
      });
    if (turn.events !== null && !same(plainValue(turn.events), read.events))
      findings.push({
        property: 'events',
        case: turn.name,
        problem: `the events are not the reviewed ones: ${firstDifference(turn.events, read.events)}`,
        counterexample: null,
      });
  }
  return findings;
}

/** The cases with what the driver makes of them as goldens: to be read by a person, line by line, before they are kept. */
export async function withGoldens(
  driver: TestDriver,
  cases: readonly TranscriptCase[],
): Promise<readonly TranscriptCase[]> {
  const turns = new Set(turnsOf(cases));
  const kept: TranscriptCase[] = [];
  for (const each of cases) {
    const turn = [...turns].find((candidate) => candidate === each);
    const read = turn === undefined ? undefined : await readTurn(driver, turn);
    kept.push(
      read === undefined
        ? each
        : {
            ...each,
            plan: read.plan,
            events: read.events,
            meta: { ...each.meta, terminalLines: each.meta.terminalLines ?? read.terminalLines },
          },
    );
  }
  return kept;
}

function firstDifference(wanted: unknown, got: unknown): string {
  if (Array.isArray(wanted) && Array.isArray(got)) {
    const at = wanted.findIndex((each, index) => !same(plainValue(each), plainValue(got[index])));
    if (at >= 0) return `entry ${at + 1} is ${shown(got[at])}, was ${shown(wanted[at])}`;
    return `there are ${got.length}, were ${wanted.length}; the first new one is ${shown(got[wanted.length])}`;
  }
  const keys = Object.keys({ ...(wanted as object), ...(got as object) });
  const member = (value: unknown, key: string): unknown => (value as Readonly<Record<string, unknown>>)[key];
  const key = keys.find((each) => !same(plainValue(member(wanted, each)), plainValue(member(got, each))));
  if (key === undefined) return 'nothing differs';
  const [was, is] = [member(wanted, key), member(got, key)];
  return Array.isArray(was) && Array.isArray(is)
    ? `${key}: ${firstDifference(was, is)}`
    : `${key} is ${shown(is)}, was ${shown(was)}`;
}
