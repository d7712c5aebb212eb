import type { ResolvedAnswer, ResolvedBlock } from './answer.js';
import type { FailureStep } from './types.js';
import { argumentParts, namedEvent, type WireEvent } from './wire.js';

/** Valid base64; clients pass it back unread. */
const SIGNATURE = 'c2ln';

const STOP = { end: 'end_turn', tool: 'tool_use', 'max-tokens': 'max_tokens' } as const;

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function contentOf(block: ResolvedBlock): Record<string, unknown> {
  if (block.type === 'text') return { type: 'text', text: block.text };
  if (block.type === 'thinking') return { type: 'thinking', thinking: block.text, signature: SIGNATURE };
  return { type: 'tool_use', id: `toolu_${block.id}`, name: block.name, input: block.input };
}

function usageOf(answer: ResolvedAnswer, outputTokens: number): Record<string, number> {
  return {
    input_tokens: answer.usage.input,
    cache_creation_input_tokens: answer.usage.cacheWrite,
    cache_read_input_tokens: answer.usage.cacheRead,
    output_tokens: outputTokens,
  };
}

function messageOf(answer: ResolvedAnswer, finished: boolean): Record<string, unknown> {
  return {
    id: `msg_${answer.id}`,
    type: 'message',
    role: 'assistant',
    model: answer.model,
    content: finished ? answer.blocks.map(contentOf) : [],
    stop_reason: finished ? STOP[answer.stop] : null,
    stop_sequence: null,
    // The count at the start of a stream is a placeholder; the real one arrives with `message_delta`.
    usage: usageOf(answer, finished ? answer.usage.output : 1),
  };
}

/** Body of a call without `stream`. */
export function anthropicBody(answer: ResolvedAnswer): Record<string, unknown> {
  return messageOf(answer, true);
}

/** The events of a streamed message, in the order of the Messages API. */
export function* anthropicEvents(answer: ResolvedAnswer): Generator<WireEvent> {
  yield namedEvent({ type: 'message_start', message: messageOf(answer, false) } as { type: string });
  for (const [index, block] of answer.blocks.entries()) {
    const start =
      block.type === 'text'
        ? { type: 'text', text: '' }
        : block.type === 'thinking'
          ? { type: 'thinking', thinking: '', signature: '' }
          : { ...contentOf(block), input: {} };
    yield named('content_block_start', { index, content_block: start });
    if (index === 0) yield namedEvent({ type: 'ping' });
    for (const delta of deltasOf(block))
      yield named('content_block_delta', { index, delta }, 'text' in delta);
    yield named('content_block_stop', { index });
  }
  yield named('message_delta', {
    delta: { stop_reason: STOP[answer.stop], stop_sequence: null },
    usage: { output_tokens: answer.usage.output },
  });
  yield namedEvent({ type: 'message_stop' });
}

function named(type: string, rest: Record<string, unknown>, piece = false): WireEvent {
  return namedEvent({ type, ...rest }, piece);
}

function deltasOf(block: ResolvedBlock): readonly Record<string, unknown>[] {
  if (block.type === 'text') return block.pieces.map((text) => ({ type: 'text_delta', text }));
  if (block.type === 'thinking') {
    return [
      ...block.pieces.map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: SIGNATURE },
    ];
  }
  const parts = ['', ...argumentParts(JSON.stringify(block.input))];
  return parts.map((partial) => ({ type: 'input_json_delta', partial_json: partial }));
}

export function anthropicError(step: FailureStep, requestId: string): Record<string, unknown> {
  const type = ERROR_TYPES[step.failure] ?? 'api_error';
  return { type: 'error', error: { type, message: step.message ?? type }, request_id: requestId };
}

export function anthropicStreamError(): WireEvent {
  return named('error', { error: { type: 'overloaded_error', message: 'Overloaded' } });
}
