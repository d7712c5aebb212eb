import type { DriverEvent, ExitStatus } from '@murmur/driver-sdk';
import type { Finding, Property } from '../finding.js';
import { batchesOf, firstTerminal, isTerminal, same, shown } from '../replay.js';
import { answerOf, DriverCallFailed, failureOf, type TestDriver } from '../test-driver.js';
import { linesOf, type TurnCase, turnsOf } from '../transcript/case.js';

export const exits: Property = {
  id: 'P11',
  name: 'exits',
  statement:
    'classify-exit answers every exit with the end of a turn, the same one each time: canceled where the turn was interrupted before it ended, otherwise a failure that carries the end of stderr, and a success only where meta.json says that exiting is how the harness answers.',
  async check(driver, cases) {
    const turns = turnsOf(cases);
    if (turns.length === 0) return [];
    await driver.restart();
    const findings: Finding[] = [];
    for (const [at, turn] of turns.entries()) {
      // The whole grid for some recordings, the corners of it for all.
      const grid = at < WHOLE_GRIDS ? WHOLE : CORNERS;
      const end = firstTerminal(turn)?.line;
      const problem =
        (await gridProblem(driver, turn, grid, [])) ??
        (await gridProblem(
          driver,
          turn,
          grid,
          linesOf(turn).slice(0, end === undefined ? undefined : end - 1),
        ));
      if (problem !== null) findings.push({ property: 'P11', case: turn.name, ...problem });
    }
    return findings;
  },
};

const ENDS: readonly Pick<ExitStatus, 'code' | 'signal'>[] = [
  ...[0, 1, 2, 42, 53, 127, 130, 137, 255, -1].map((code) => ({ code, signal: undefined })),
  ...[1, 2, 6, 9, 11, 15].map((signal) => ({ code: undefined, signal })),
  { code: undefined, signal: undefined },
];
const TAIL = 'the last words 7c1e: Grüße \u{1f99c}';
const STDERRS = ['', '\n', TAIL, `one line\nanother\n${TAIL}\n`, `${'x'.repeat(2000)}\n${TAIL}`];

interface Grid {
  readonly ends: readonly Pick<ExitStatus, 'code' | 'signal'>[];
  readonly stderrs: readonly string[];
}
const WHOLE_GRIDS = 3;
const WHOLE: Grid = { ends: ENDS, stderrs: STDERRS };
const CORNERS: Grid = {
  ends: [
    { code: 0, signal: undefined },
    { code: 1, signal: undefined },
    { code: undefined, signal: 9 },
  ],
  stderrs: ['', TAIL],
};

interface Problem {
  readonly problem: string;
  readonly counterexample: unknown;
}

async function gridProblem(
  driver: TestDriver,
  turn: TurnCase,
  grid: Grid,
  lines: readonly string[],
): Promise<Problem | null> {
  if ((await answerOf(driver.launch(turn.request))) === undefined) return null;
  for (const batch of batchesOf(lines)) if ((await answerOf(driver.parse(batch))) === undefined) return null;
  for (const end of grid.ends)
    for (const stderrTail of grid.stderrs)
      for (const interrupted of [false, true])
        for (const sawTerminal of [false, true]) {
          const exit: ExitStatus = { ...end, stderrTail, interrupted, sawTerminal };
          const problem = await exitProblem(driver, turn, exit, lines.length > 0);
          if (problem !== null) return { problem, counterexample: { linesBefore: lines.length, exit } };
        }
  return null;
}

async function exitProblem(
  driver: TestDriver,
  turn: TurnCase,
  exit: ExitStatus,
  hadOutput: boolean,
): Promise<string | null> {
  let event: DriverEvent;
  try {
    event = await driver.classifyExit(exit);
  } catch (error) {
    if (error instanceof DriverCallFailed) return `classify-exit gives no answer: ${error.reason}`;
    throw error;
  }
  const again = await answerOf(driver.classifyExit(exit));
  if (again === undefined)
    return `asked a second time: ${(await failureOf(driver.classifyExit(exit)))?.reason}`;
  if (!same(event, again)) return `the same exit is ${shown(event)} and then ${shown(again)}`;
  if (!isTerminal(event)) return `the answer is ${shown(event)}, which ends no turn`;
  if (exit.sawTerminal) return null;
  if (exit.interrupted)
    return event.tag === 'turn-failed' && event.val.kind === 'canceled'
      ? null
      : `an interrupted turn is ${shown(event)}, not canceled`;
  if (event.tag === 'turn-end')
    return turn.meta.exitAnswers && hadOutput
      ? null
      : `an exit without the end of a turn becomes the answer ${shown(event)}`;
  if (event.tag === 'turn-failed' && exit.stderrTail.includes(TAIL) && !event.val.message.includes(TAIL))
    return `the failure ${shown(event)} leaves out what stderr said last`;
  return null;
}
