import type { ErrorCondition } from '@murmur/errors';
import { inactivityWindowMs } from './limits.js';
import type { HarnessEnd } from './run-harness.js';
import { type TurnState, turnBudgetMessage } from './turn-state.js';
import type { TurnOptions, TurnOutcome } from './types.js';

type Failure = Extract<NonNullable<TurnState['terminal']>, { tag: 'turn-failed' }>;

/**
 * A resumed session that the harness never took up and that failed without a reason of another kind is gone; sign-in,
 * quota, budget and cancel say nothing about the session.
 */
function sessionIsGone(failure: Failure, options: TurnOptions, state: TurnState): boolean {
  return (
    options.session.mode === 'resume' &&
    state.sessionId === null &&
    (failure.kind === 'harness-error' || failure.kind === 'other')
  );
}

function failureCondition(failure: Failure, options: TurnOptions, state: TurnState): ErrorCondition {
  if (!sessionIsGone(failure, options, state))
    return { variant: 'HarnessTurnFailed', kind: failure.kind, message: failure.message, origin: 'harness' };
  return {
    variant: 'HarnessSessionGone',
    context_id: options.contextId ?? '',
    session_id: options.session.id,
    harness: options.driver.description.harness,
    path: options.sessionMapPath,
    detail: failure.message,
  };
}

/** What the end of a run means for its attempt; null when it did not fail. */
function errorOf(end: HarnessEnd, options: TurnOptions, state: TurnState): ErrorCondition | null {
  switch (end.cause) {
    case 'canceled':
      return null;
    case 'driver_error':
      return end.error;
    case 'inactivity':
      return { variant: 'ProcessHarnessInactive', seconds: inactivityWindowMs / 1000 };
    case 'max_turns':
      return {
        variant: 'HarnessTurnFailed',
        kind: 'max-turns',
        message: turnBudgetMessage(options.maxTurns),
        origin: 'runtime',
      };
    case 'terminal':
    case 'eof':
      return state.terminal?.tag === 'turn-failed' ? failureCondition(state.terminal, options, state) : null;
  }
}

/** Sums up a run. A session is to be remembered only if the harness did something that it would hold. */
export function turnOutcome(
  end: HarnessEnd,
  killed: boolean,
  options: TurnOptions,
  state: TurnState,
): TurnOutcome {
  const error = errorOf(end, options, state);
  const gone = error?.variant === 'HarnessSessionGone';
  const answer = state.terminal?.tag === 'turn-end' ? state.terminal.result : null;
  const canceled = end.cause === 'canceled';
  return {
    status: canceled ? 'canceled' : error === null ? 'completed' : 'failed',
    result: canceled ? (answer ?? state.lastWords) : error === null ? answer : null,
    error,
    killed: canceled && killed,
    commitSessionId: state.produced && !gone ? (state.sessionId ?? options.session.id) : null,
    turns: state.turns,
    inputTokens: state.inputTokens,
    outputTokens: state.outputTokens,
    toolCalls: state.toolCalls,
  };
}

/** The outcome of an attempt that never had a harness. */
export function emptyOutcome(status: 'canceled' | 'failed', error: ErrorCondition | null): TurnOutcome {
  return {
    status,
    result: null,
    error,
    killed: false,
    commitSessionId: null,
    turns: 0,
    inputTokens: 0,
    outputTokens: 0,
    toolCalls: 0,
  };
}
