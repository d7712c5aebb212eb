import {
  booleanMember,
  type DriverEvent,
  type JsonObject,
  note,
  objectMember,
  stringMember,
  turnEnd,
  turnFailed,
  type Usage,
  usage,
} from '@murmur/driver-sdk';
import { failureKindOf, failureMessageOf } from './failures.js';
import type { ClaudeCodeState } from './state.js';
import { createTurnCounts, isAllZero, reaches, readCounts, readModelCounts } from './turn-counts.js';

/** Events of the `result` line that ends a turn. `is_error` decides; a failed request has the subtype `success`. */
export function turnResult(result: JsonObject, state: ClaudeCodeState): readonly DriverEvent[] {
  const events = [...state.text.complete(), ...countedUsage(result, state), ending(result, state)];
  state.turn = createTurnCounts();
  state.countsFromNothing = false;
  state.subAgents = false;
  state.errorClass = undefined;
  return events;
}

function ending(result: JsonObject, state: ClaudeCodeState): DriverEvent {
  return booleanMember(result, 'is_error') === false
    ? turnEnd(stringMember(result, 'result') ?? state.text.latest ?? '')
    : turnFailed(failureKindOf(result, state.errorClass), failureMessageOf(result));
}

function countedUsage(result: JsonObject, state: ClaudeCodeState): readonly DriverEvent[] {
  const counts = turnUsage(result, state);
  if (counts !== undefined) return usage(state.totals.take(counts));
  return [
    note('token counts of this turn are absent: those that Claude Code reports leave out a part of it'),
  ];
}

/**
 * The tokens of the turn; `undefined` when no figure can be trusted.
 *
 * `usage` counts the turn's streamed requests. It is 0 after a request that was repeated without streaming, and after
 * an interrupt; and it leaves agents below the main one out. Figures by model have all of it.
 */
function turnUsage(result: JsonObject, state: ClaudeCodeState): Usage | undefined {
  const told = readCounts(objectMember(result, 'usage'));
  const complete = reaches(told, state.turn.least()) && !(isAllZero(told) && state.turn.any);
  if (complete && !state.subAgents) return told;
  const byModel = readModelCounts(modelsOfTurn(result, state));
  return !isAllZero(byModel) && reaches(byModel, told) ? byModel : undefined;
}

/** Newer releases tell the turn's by themselves. `modelUsage` counts on where a resumed session left off. */
function modelsOfTurn(result: JsonObject, state: ClaudeCodeState): JsonObject | undefined {
  return (
    objectMember(result, 'model_usage_since_last_result') ??
    (state.countsFromNothing ? objectMember(result, 'modelUsage') : undefined)
  );
}
