import type { DriverEvent } from '@murmur/driver-sdk';
import type { Property } from '../finding.js';
import { shown } from '../replay.js';
import { type TurnCase, turnsOf } from '../transcript/case.js';
import { tryWithNoise } from './with-noise.js';

export const textReplacement: Property = {
  id: 'P9',
  name: 'text replacement',
  statement:
    'A whole text equals the pieces streamed for it (or ends with them, where a message comes in several blocks), and no piece is left over at a turn-end. The same for thinking.',
  check: (driver, cases, options) =>
    tryWithNoise(
      driver,
      turnsOf(cases).filter(({ meta }) => meta.lossless),
      options,
      (turn, events) => {
        const problem = streamProblem(turn, events, 'text') ?? streamProblem(turn, events, 'thinking');
        return problem === null ? null : { property: 'P9', case: turn.name, problem, counterexample: null };
      },
    ),
};

function streamProblem(
  _turn: TurnCase,
  events: readonly DriverEvent[],
  kind: 'text' | 'thinking',
): string | null {
  let streamed = '';
  let before = '';
  for (const event of events) {
    if (event.tag === `${kind}-delta`) streamed += event.val;
    if (event.tag === kind && streamed !== '') {
      const whole = String(event.val);
      if (whole !== streamed && whole !== before + streamed)
        return `the whole ${kind} ${shown(whole)} is not what was streamed: ${shown(streamed)}`;
      before = whole;
      streamed = '';
    } else if (event.tag === kind) before = String(event.val);
    if (event.tag === 'turn-end' && streamed !== '')
      return `the turn ends with streamed ${kind} that no whole one replaces: ${shown(streamed)}`;
    if (event.tag === 'turn-failed') streamed = '';
  }
  return null;
}
