import type { DriverEvent } from '@murmur/driver-sdk';
import type { Finding, Property } from '../finding.js';
import { replayByLine } from '../replay.js';
import type { TestDriver } from '../test-driver.js';
import { linesOf, type TurnCase, turnsOf } from '../transcript/case.js';
import { tryWithNoise } from './with-noise.js';

export const toolPairing: Property = {
  id: 'P7',
  name: 'tool pairing',
  statement:
    "Call ids are unique, every result answers a call, a call that was started keeps its name. Names of the capsule's tools are bare; a tool of another server never takes such a name.",
  async check(driver, cases, options) {
    const turns = turnsOf(cases);
    const findings = await tryWithNoise(driver, turns, options, (turn, events) => {
      const problem = pairingProblem(turn, events);
      return problem === null ? null : finding(turn.name, problem);
    });
    if (findings.length > 0) return findings;
    const others: Finding[] = [];
    for (const turn of turns) {
      const problem = await otherServerProblem(driver, turn);
      if (problem !== null) others.push(finding(turn.name, problem));
    }
    return others;
  },
};

function pairingProblem(turn: TurnCase, events: readonly DriverEvent[]): string | null {
  const called = new Set<string>();
  const started = new Map<string, string>();
  for (const event of events) {
    if (event.tag === 'tool-call-started') started.set(event.val.id, event.val.name);
    if (event.tag === 'tool-call') {
      const { id, name } = event.val;
      if (called.has(id)) return `two calls have the id ${id}`;
      called.add(id);
      const begun = started.get(id);
      if (begun !== undefined && begun !== name) return `call ${id} was started as ${begun} and is ${name}`;
    }
    if (event.tag === 'tool-result' && !called.has(event.val.id))
      return `a result answers ${event.val.id}, which was never called`;
    if (event.tag === 'tool-call' || event.tag === 'tool-call-started') {
      const problem = nameProblem(turn, event.val.name);
      if (problem !== null) return problem;
    }
  }
  return null;
}

function nameProblem({ request }: TurnCase, name: string): string | null {
  const { bridge } = request;
  if (bridge === undefined || bridge.toolNames.includes(name)) return null;
  const dressed = bridge.toolNames.find((tool) => name.endsWith(tool) && name.includes(bridge.serverName));
  return dressed === undefined ? null : `the tool ${dressed} is called ${name}, with its prefix on`;
}

const OTHER_SERVER = 'someoneelse';

/** Renames the server in the recorded lines: the same calls are now another server's. */
async function otherServerProblem(driver: TestDriver, turn: TurnCase): Promise<string | null> {
  const { bridge } = turn.request;
  if (bridge === undefined) return null;
  const lines = linesOf(turn);
  const perLine = await replayByLine(driver, turn, lines);
  const isOurs = (event: DriverEvent): boolean =>
    (event.tag === 'tool-call' || event.tag === 'tool-call-started') &&
    bridge.toolNames.includes(event.val.name);
  const server = new RegExp(`(?<![A-Za-z0-9])${escaped(bridge.serverName)}(?![A-Za-z0-9])`, 'g');
  const renamed = lines.map((line) => line.replace(server, OTHER_SERVER));
  const calling = (perLine ?? []).flatMap((events, at) => (events.some(isOurs) ? [at] : []));
  // Where a line does not say whose tool it is, there is nothing to tell apart.
  if (calling.length === 0 || !calling.every((at) => renamed[at] !== lines[at])) return null;
  const taken = (await replayByLine(driver, turn, renamed))?.flat().find(isOurs);
  return taken === undefined || (taken.tag !== 'tool-call' && taken.tag !== 'tool-call-started')
    ? null
    : `a tool of the server ${OTHER_SERVER} is taken for the capsule's own ${taken.val.name}`;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function finding(name: string, problem: string): Finding {
  return { property: 'P7', case: name, problem, counterexample: null };
}
