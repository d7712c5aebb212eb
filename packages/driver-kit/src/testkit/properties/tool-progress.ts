import type { DriverEvent } from '@murmur/driver-sdk';
import type { Finding, Property } from '../finding.js';
import { jsonObjectOf } from '../mutate-line.js';
import { replay, same, shown } from '../replay.js';
import type { TestDriver } from '../test-driver.js';
import { linesOf, type TurnCase, turnsOf } from '../transcript/case.js';
import { tryWithNoise } from './with-noise.js';

export const toolProgress: Property = {
  id: 'P8',
  name: 'tool progress',
  statement:
    'Progress of a call comes behind its start and before the call, and only grows. What a tool is given is in its tool-call and in no other event.',
  async check(driver, cases, options) {
    const turns = turnsOf(cases);
    const findings = await tryWithNoise(driver, turns, options, (turn, events) => {
      const problem = progressProblem(events) ?? inputProblem(turn, events);
      return problem === null ? null : finding(turn.name, problem);
    });
    if (findings.length > 0) return findings;
    const leaks: Finding[] = [];
    for (const turn of turns) {
      const problem = await canaryProblem(driver, turn);
      if (problem !== null) leaks.push(finding(turn.name, problem));
    }
    return leaks;
  },
};

function progressProblem(events: readonly DriverEvent[]): string | null {
  const bytes = new Map<string, number>();
  const called = new Set<string>();
  for (const event of events) {
    if (event.tag === 'tool-call-started') bytes.set(event.val.id, 0);
    if (event.tag === 'tool-call') called.add(event.val.id);
    if (event.tag !== 'tool-call-progress') continue;
    const { id, inputBytes } = event.val;
    const before = bytes.get(id);
    if (before === undefined) return `progress of ${id}, which was not started`;
    if (called.has(id)) return `progress of ${id} behind its call`;
    if (inputBytes < before) return `progress of ${id} shrinks from ${before} to ${inputBytes} bytes`;
    bytes.set(id, inputBytes);
  }
  return null;
}

/** Texts that `meta.json` names as input: an answer may repeat them, nothing else may. */
function inputProblem({ meta }: TurnCase, events: readonly DriverEvent[]): string | null {
  for (const input of meta.toolInputs) {
    const leak = events.find(
      (event) =>
        event.tag !== 'tool-call' && event.tag !== 'tool-result' && shown(event, Infinity).includes(input),
    );
    if (leak !== undefined) return `the tool input ${input} is in ${shown(leak)}`;
  }
  return null;
}

const CANARY = 'canary-in-tool-input-3f9c';

/** Puts a canary into the inputs, wherever a recorded line has exactly such an input. */
async function canaryProblem(driver: TestDriver, turn: TurnCase): Promise<string | null> {
  const lines = linesOf(turn);
  const inputs = ((await replay(driver, turn, lines)) ?? []).flatMap((event) =>
    event.tag === 'tool-call' ? [parsed(event.val.input)] : [],
  );
  if (inputs.length === 0) return null;
  const marked = lines.map((line) => {
    const object = jsonObjectOf(line);
    return object === undefined ? line : JSON.stringify(withCanary(object, inputs));
  });
  const leak = (await replay(driver, turn, marked))?.find(
    (event) => event.tag !== 'tool-call' && shown(event, Infinity).includes(CANARY),
  );
  return leak === undefined ? null : `what a tool was given is also in ${shown(leak)}`;
}

function withCanary(value: unknown, inputs: readonly unknown[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (inputs.some((input) => same(input, value)) && Object.keys(value).length > 0) return marked(value);
  if (Array.isArray(value)) return value.map((each) => withCanary(each, inputs));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withCanary(each, inputs)]));
}

function marked(value: unknown): unknown {
  if (typeof value === 'string') return CANARY;
  if (Array.isArray(value)) return value.map(marked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, marked(each)]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function finding(name: string, problem: string): Finding {
  return { property: 'P8', case: name, problem, counterexample: null };
}
