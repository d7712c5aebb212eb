import type { DriverEvent } from '@murmur/driver-sdk';
import fc from 'fast-check';
import { falsify } from '../falsify.js';
import type { Finding, Property } from '../finding.js';
import { noise, withNoise } from '../noise.js';
import { firstTerminal, isTerminal, replay, replayByLine, same, shown } from '../replay.js';
import { linesOf, turnsOf } from '../transcript/case.js';

export const terminal: Property = {
  id: 'P3',
  name: 'terminal kept',
  statement:
    'A recorded line that ends the turn gives exactly one terminal event before any second turn, and no other line does. Noise between the lines never takes it away or changes it.',
  async check(driver, cases, options) {
    const turns = turnsOf(cases).filter(({ meta }) => meta.terminalLines !== null);
    if (turns.length === 0) return [];
    await driver.restart();
    const findings: Finding[] = [];
    for (const turn of turns) {
      const perLine = await replayByLine(driver, turn, linesOf(turn));
      if (perLine === undefined) continue;
      const ending = perLine.flatMap((events, at) => (events.some(isTerminal) ? [at + 1] : []));
      const wanted = (turn.meta.terminalLines ?? []).map(({ line }) => line);
      const count = firstTurn(perLine.flat()).filter(isTerminal).length;
      // What comes behind the first end is the concern of P17.
      if (ending[0] !== wanted[0])
        findings.push(
          finding(
            turn.name,
            `line ${wanted[0] ?? 'none'} ends the turn, but the first terminal event comes from line ${ending[0] ?? 'none'}`,
          ),
        );
      else if (
        wanted.length > 0 &&
        count !== 1 &&
        perLine[(wanted[0] ?? 1) - 1]?.filter(isTerminal).length !== 1
      )
        findings.push(finding(turn.name, `the end of the turn gives ${count} terminal events`));
    }
    if (findings.length > 0) return findings;
    const ended = turns.filter((turn) => firstTerminal(turn) !== null);
    if (ended.length === 0) return [];
    const found = await falsify(
      fc.record({ turn: fc.nat(ended.length - 1), pieces: noise }),
      async ({ turn, pieces }) => {
        const picked = ended[turn];
        if (picked === undefined) return null;
        const lines = linesOf(picked);
        const before = (await replay(driver, picked, lines))?.find(isTerminal);
        const noisy = await replay(driver, picked, withNoise(lines, pieces).lines);
        const after = noisy?.find(isTerminal);
        if (before === undefined || noisy === undefined || same(before, after)) return null;
        return `without noise the turn ends with ${shown(before)}, with noise by ${shown(after)}`;
      },
      options,
    );
    if (found === null) return [];
    return [finding(ended[found.input.turn]?.name ?? null, found.problem, found.input.pieces)];
  },
};

/** Events up to where a second turn begins: the session named once more behind the end of the first. */
export function firstTurn(events: readonly DriverEvent[]): readonly DriverEvent[] {
  const end = events.findIndex(isTerminal);
  if (end < 0) return events;
  const next = events.findIndex((event, at) => at > end && event.tag === 'session-started');
  return next < 0 ? events : events.slice(0, next);
}

function finding(name: string | null, problem: string, counterexample: unknown = null): Finding {
  return { property: 'P3', case: name, problem, counterexample };
}
