import { expect, test } from 'vitest';
import { runTurn } from './run-turn.js';
import { systemClock } from './system-clock.js';
import type { TurnOptions } from './types.js';

/** As much of the options as a turn that ends at once looks at. */
const endingAtOnce = (changes: object): TurnOptions =>
  ({
    clock: systemClock,
    request: { bridge: null },
    record: () => undefined,
    stream: () => undefined,
    warn: () => undefined,
    ...changes,
  }) as unknown as TurnOptions;

test('a version probe that fails after the turn was canceled is nobody’s unhandled rejection', async () => {
  const version = Promise.reject(new Error('the jail is gone'));
  const outcome = await runTurn(endingAtOnce({ cancel: AbortSignal.abort(), version }));
  expect(outcome.status).toBe('canceled');
  // The runner fails the file when a rejection is left unhandled; give it the turn of the loop in which it would.
  await new Promise((resolve) => setImmediate(resolve));
});
