import fc from 'fast-check';
import { falsify } from '../falsify.js';
import type { Finding, Property } from '../finding.js';
import { type Mutation, mutate, mutations } from '../mutations.js';
import { batchesOf } from '../replay.js';
import { answerOf, failureOf, type TestDriver } from '../test-driver.js';
import { linesOf, type TurnCase, turnsOf } from '../transcript/case.js';

/** Strings that need no recording to be tried. */
const ALWAYS = [
  '',
  '\u0000',
  '\ufffd',
  '{',
  '{}',
  '[]',
  'null',
  '"',
  '{"type":',
  '{"type":null}',
  '{"type":{}}',
  'x'.repeat(1 << 20),
  `{"type":"${'x'.repeat(1 << 20)}"}`,
  '['.repeat(100_000),
  '{"a":'.repeat(50_000),
];

export const total: Property = {
  id: 'P1',
  name: 'total',
  statement:
    'parse answers for any lines: empty, cut short, wrongly typed, unknown, not UTF-8, a megabyte long, deeply nested. It never throws or traps.',
  async check(driver, cases, options) {
    const turns = turnsOf(cases);
    const first = turns[0];
    if (first === undefined) return [];
    await driver.restart();
    for (const line of ALWAYS) {
      const problem = await problemOf(driver, first, [line]);
      if (problem !== null) return [finding(null, problem, [cut(line)])];
    }
    const found = await falsify(
      fc.oneof(
        fc.record({ turn: fc.nat(turns.length - 1), changes: mutations }),
        fc.record({ lines: fc.array(fc.string({ unit: 'binary', maxLength: 60 }), { maxLength: 4 }) }),
      ),
      async (input) => {
        const { turn, lines } = chosen(turns, first, input);
        return problemOf(driver, turn, lines);
      },
      options,
    );
    if (found === null) return [];
    const { turn, lines } = chosen(turns, first, found.input);
    return [
      finding(turn.name, found.problem, {
        ...('changes' in found.input ? { changes: found.input.changes } : {}),
        lines: lines.map(cut),
      }),
    ];
  },
};

type Input =
  | { readonly turn: number; readonly changes: readonly Mutation[] }
  | { readonly lines: readonly string[] };

function chosen(
  turns: readonly TurnCase[],
  first: TurnCase,
  input: Input,
): { readonly turn: TurnCase; readonly lines: readonly string[] } {
  if ('lines' in input) return { turn: first, lines: input.lines };
  const turn = turns[input.turn] ?? first;
  return { turn, lines: mutate(linesOf(turn), input.changes) };
}

async function problemOf(
  driver: TestDriver,
  { request }: TurnCase,
  lines: readonly string[],
): Promise<string | null> {
  if ((await answerOf(driver.launch(request))) === undefined) return null;
  for (const batch of batchesOf(lines)) {
    const failure = await failureOf(driver.parse(batch));
    if (failure !== null) return `parse gives no answer: ${failure.reason}`;
  }
  return null;
}

const cut = (line: string): string =>
  line.length <= 400 ? line : `${line.slice(0, 400)}… (${line.length} characters)`;

function finding(name: string | null, problem: string, counterexample: unknown): Finding {
  return { property: 'P1', case: name, problem, counterexample };
}
