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
 * an interrupt; and it leaves agents below the main one out. `modelUsage` has all of it, but counts on where a resumed
 * session left off, so it is a figure of this turn only while everything before it is nothing.
 */
function turnUsage(result: JsonObject, state: ClaudeCodeState): Usage | undefined {
  const told = readCounts(objectMember(result, 'usage'));
  const least = state.turn.least();
  const complete = reaches(told, least) && !(isAllZero(told) && state.turn.any) && !state.subAgents;
  if (complete) return told;
  const all = readModelCounts(objectMember(result, 'modelUsage'));
  const trusted = state.countsFromNothing && !isAllZero(all) && reaches(all, told);
  return trusted ? all : undefined;
}
