import type { DriverEvent, FailureKind, QuotaWindow, SessionInfo, Usage } from './generated/contract.js';

/** The harness named its session. `auth` is `subscription`, `api-key` or the harness's own word. */
export function sessionStarted(info: SessionInfo): DriverEvent {
  return { tag: 'session-started', val: info };
}

/** A piece of streamed text of the message in progress. */
export function textDelta(text: string): DriverEvent {
  return { tag: 'text-delta', val: text };
}

/** The whole text of one message; stands in for all its deltas. */
export function text(whole: string): DriverEvent {
  return { tag: 'text', val: whole };
}

/** A piece of streamed thinking. */
export function thinkingDelta(piece: string): DriverEvent {
  return { tag: 'thinking-delta', val: piece };
}

/** The whole thinking of one message; stands in for all its deltas. */
export function thinking(whole: string): DriverEvent {
  return { tag: 'thinking', val: whole };
}

/** The model called a tool. `name` is the bare tool name, `input` its input as JSON text. */
export function toolCall(id: string, name: string, input: string): DriverEvent {
  return { tag: 'tool-call', val: { id, name, input } };
}

/** A tool answered the call of that id. */
export function toolResult(id: string, output: string, isError: boolean): DriverEvent {
  return { tag: 'tool-result', val: { id, output, isError } };
}

/** The harness tries a provider request again; `attempt` counts from 1. */
export function retry(attempt: number, reason: string): DriverEvent {
  return { tag: 'retry', val: { attempt, reason } };
}

/**
 * Token totals since the harness process started. No event when no member is present: an empty report would only
 * suggest that something was counted.
 */
export function usage(totals: Usage): readonly DriverEvent[] {
  const { input, output, cacheRead, cacheCreation, thinking: reasoning } = totals;
  if ([input, output, cacheRead, cacheCreation, reasoning].every((count) => count === undefined)) return [];
  return [{ tag: 'usage', val: totals }];
}

/** The turn is done; `answer` is what the capsule's caller gets. */
export function turnEnd(answer: string): DriverEvent {
  return { tag: 'turn-end', val: answer };
}

/** The turn failed, with the harness's own words as the message. */
export function turnFailed(kind: FailureKind, message: string): DriverEvent {
  return { tag: 'turn-failed', val: { kind, message } };
}

/** A remark for the trace only. */
export function note(remark: string): DriverEvent {
  return { tag: 'note', val: remark };
}

/** The model began to write a call that is not complete yet. */
export function toolCallStarted(id: string, name: string): DriverEvent {
  return { tag: 'tool-call-started', val: { id, name } };
}

/** How many bytes of a started call's input are written so far, counted from its start. */
export function toolCallProgress(id: string, inputBytes: number): DriverEvent {
  return { tag: 'tool-call-progress', val: { id, inputBytes } };
}

/** The subscription windows the harness named. See `createQuotaMerger` for sparse reports. */
export function quota(windows: readonly QuotaWindow[]): DriverEvent {
  return { tag: 'quota', val: windows };
}

/** What the harness expects to be asked next. */
export function suggestedPrompt(prompt: string): DriverEvent {
  return { tag: 'suggested-prompt', val: prompt };
}
