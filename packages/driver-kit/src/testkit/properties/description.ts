import type { DriverDescription } from '@murmur/driver-sdk';
import { descriptionProblem } from '@murmur/process-driver';
import type { Finding, Property } from '../finding.js';
import { replay, same, shown } from '../replay.js';
import { DriverCallFailed, type TestDriver } from '../test-driver.js';
import { linesOf, type TranscriptCase, type TurnCase, turnsOf } from '../transcript/case.js';

export const description: Property = {
  id: 'P14',
  name: 'description',
  statement:
    'describe gives the same answer every time, the runtime accepts it, and streams-text and reports-usage say what the recordings show.',
  async check(driver, cases) {
    const turns = turnsOf(cases);
    await driver.restart();
    const findings: Finding[] = [];
    try {
      const said = await driver.describe();
      const unusable = descriptionProblem(hostDescription(said), () => null);
      if (unusable !== null) findings.push(finding(unusable));
      const constant = await constantProblem(driver, said, turns);
      if (constant !== null) findings.push(finding(constant));
      findings.push(...(await shownProblems(driver, said, turns)));
    } catch (error) {
      if (!(error instanceof DriverCallFailed)) throw error;
      findings.push(finding(error.message));
    }
    return findings;
  },
};

async function constantProblem(
  driver: TestDriver,
  said: DriverDescription,
  turns: readonly TurnCase[],
): Promise<string | null> {
  const differs = async (): Promise<boolean> => !same(await driver.describe(), said);
  if (await differs()) return 'describe gives another answer the second time';
  const [turn] = turns;
  if (turn !== undefined) {
    await replay(driver, turn, linesOf(turn));
    if (await differs()) return 'describe gives another answer after a turn';
  }
  await driver.restart();
  return (await differs()) ? 'describe gives another answer in another instance' : null;
}

async function shownProblems(
  driver: TestDriver,
  said: DriverDescription,
  turns: readonly TurnCase[],
): Promise<readonly Finding[]> {
  let streamed: string | null = null;
  let reported: string | null = null;
  let mayStream = false;
  let mayReport = false;
  for (const turn of turns) {
    const events = (await replay(driver, turn, linesOf(turn))) ?? [];
    if (events.some(({ tag }) => tag === 'text-delta')) streamed ??= turn.name;
    if (events.some(({ tag }) => tag === 'usage')) reported ??= turn.name;
    mayStream ||= events.some(({ tag }) => tag === 'text');
    mayReport ||= (turn.meta satisfies TranscriptCase['meta']).usage !== null;
  }
  return [
    ...(said.streamsText && streamed === null && mayStream
      ? [finding('streams-text is true, and no recording with text gives a text-delta')]
      : []),
    ...(!said.streamsText && streamed !== null
      ? [finding(`streams-text is false, and ${streamed} gives text-delta`)]
      : []),
    ...(said.reportsUsage && reported === null && mayReport
      ? [finding('reports-usage is true, and no recording with token counts gives usage')]
      : []),
    ...(!said.reportsUsage && reported !== null
      ? [finding(`reports-usage is false, and ${reported} gives usage`)]
      : []),
  ];
}

/** The runtime keeps the login command under another name. */
function hostDescription(said: DriverDescription): Parameters<typeof descriptionProblem>[0] {
  const { loginCheck } = said;
  return {
    ...said,
    loginCheck:
      loginCheck.tag === 'command'
        ? { tag: 'command', args: loginCheck.val }
        : { tag: 'unavailable', reason: loginCheck.val },
  };
}

function finding(problem: string): Finding {
  return { property: 'P14', case: null, problem: shown(problem, 2000).slice(1, -1), counterexample: null };
}
