import type { ResolvedAnswer, ResolvedBlock } from './answer.js';
import type { FailureStep } from './types.js';
import { argumentParts, dataEvent, type WireEvent } from './wire.js';

const STOP = { end: 'stop', tool: 'tool_calls', 'max-tokens': 'length' } as const;

const ERROR_TYPES: Readonly<Record<number, readonly [type: string, code: string | null]>> = {
  400: ['invalid_request_error', null],
  401: ['invalid_request_error', 'invalid_api_key'],
  403: ['invalid_request_error', 'unsupported_country_region_territory'],
  429: ['requests', 'rate_limit_exceeded'],
};

/** OpenAI counts cached input inside the input. */
export function openAiInputTokens(answer: ResolvedAnswer): number {
  return answer.usage.input + answer.usage.cacheRead;
}

function usageOf(answer: ResolvedAnswer): Record<string, unknown> {
  const input = openAiInputTokens(answer);
  return {
    prompt_tokens: input,
    completion_tokens: answer.usage.output,
    total_tokens: input + answer.usage.output,
    prompt_tokens_details: { cached_tokens: answer.usage.cacheRead },
    completion_tokens_details: { reasoning_tokens: answer.usage.thinking },
  };
}

type ToolBlock = Extract<ResolvedBlock, { type: 'tool' }>;
const toolsOf = (answer: ResolvedAnswer): readonly ToolBlock[] =>
  answer.blocks.filter((block): block is ToolBlock => block.type === 'tool');
const textOf = (answer: ResolvedAnswer, type: 'text' | 'thinking'): string =>
  answer.blocks.map((block) => (block.type === type ? block.text : '')).join('');

/** Body of a call without `stream`. */
export function chatBody(answer: ResolvedAnswer, createdSeconds: number): Record<string, unknown> {
  const text = textOf(answer, 'text');
  const thinking = textOf(answer, 'thinking');
  const calls = toolsOf(answer).map((tool) => ({
    id: `call_${tool.id}`,
    type: 'function',
    function: { name: tool.name, arguments: JSON.stringify(tool.input) },
  }));
  return {
    id: `chatcmpl-${answer.id}`,
    object: 'chat.completion',
    created: createdSeconds,
    model: answer.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text === '' ? null : text,
          refusal: null,
          ...(thinking === '' ? {} : { reasoning_content: thinking }),
          ...(calls.length === 0 ? {} : { tool_calls: calls }),
        },
        logprobs: null,
        finish_reason: STOP[answer.stop],
      },
    ],
    usage: usageOf(answer),
  };
}

/** The chunks of a streamed completion; the usage chunk only when the request asked for it. */
export function* chatEvents(
  answer: ResolvedAnswer,
  createdSeconds: number,
  withUsage: boolean,
): Generator<WireEvent> {
  const chunk = (choices: readonly unknown[], usage: unknown, piece = false): WireEvent =>
    dataEvent(
      {
        id: `chatcmpl-${answer.id}`,
        object: 'chat.completion.chunk',
        created: createdSeconds,
        model: answer.model,
        choices,
        ...(withUsage ? { usage } : {}),
      },
      piece,
    );
  const delta = (content: Record<string, unknown>, finish: string | null, piece = false): WireEvent =>
    chunk([{ index: 0, delta: content, logprobs: null, finish_reason: finish }], null, piece);

  yield delta({ role: 'assistant', content: '', refusal: null }, null);
  for (const block of answer.blocks) {
    if (block.type === 'tool') continue;
    const key = block.type === 'text' ? 'content' : 'reasoning_content';
    for (const piece of block.pieces) yield delta({ [key]: piece }, null, block.type === 'text');
  }
  for (const [index, tool] of toolsOf(answer).entries()) {
    const head = {
      index,
      id: `call_${tool.id}`,
      type: 'function',
      function: { name: tool.name, arguments: '' },
    };
    yield delta({ tool_calls: [head] }, null);
    for (const part of argumentParts(JSON.stringify(tool.input))) {
      yield delta({ tool_calls: [{ index, function: { arguments: part } }] }, null);
    }
  }
  yield delta({}, STOP[answer.stop]);
  if (withUsage) yield chunk([], usageOf(answer));
  yield dataEvent('[DONE]');
}

/** The error body of both OpenAI APIs. */
export function openAiError(step: FailureStep): Record<string, unknown> {
  const [type, code] =
    step.reason === 'quota'
      ? ['insufficient_quota', 'insufficient_quota']
      : (ERROR_TYPES[step.failure] ?? ['server_error', null]);
  return { error: { message: step.message ?? type, type, param: null, code } };
}

export function chatStreamError(): WireEvent {
  return dataEvent({
    error: {
      message: 'The server had an error while processing your request.',
      type: 'server_error',
      param: null,
      code: null,
    },
  });
}
