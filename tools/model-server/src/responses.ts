import type { ResolvedAnswer, ResolvedBlock } from './answer.js';
import { openAiInputTokens } from './chat.js';
import { argumentParts, namedEvent, type WireEvent } from './wire.js';

type Json = Record<string, unknown>;

function usageOf(answer: ResolvedAnswer): Json {
  const input = openAiInputTokens(answer);
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: answer.usage.cacheRead },
    output_tokens: answer.usage.output,
    output_tokens_details: { reasoning_tokens: answer.usage.thinking },
    total_tokens: input + answer.usage.output,
  };
}

/** An output item as it stands when it is finished. */
function itemOf(block: ResolvedBlock, answerId: string, index: number): Json {
  const id = `${answerId}_${index}`;
  if (block.type === 'text') {
    return {
      id: `msg_${id}`,
      type: 'message',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', annotations: [], logprobs: [], text: block.text }],
    };
  }
  if (block.type === 'thinking') {
    return { id: `rs_${id}`, type: 'reasoning', summary: [{ type: 'summary_text', text: block.text }] };
  }
  const common = {
    call_id: `call_${block.id}`,
    ...(block.namespace === null ? {} : { namespace: block.namespace }),
    name: block.name,
  };
  return block.customInput === null
    ? {
        id: `fc_${id}`,
        type: 'function_call',
        status: 'completed',
        ...common,
        arguments: JSON.stringify(block.input),
      }
    : { id: `ctc_${id}`, type: 'custom_tool_call', status: 'completed', ...common, input: block.customInput };
}

/** The response object: empty while in progress, whole at its end. */
function responseOf(answer: ResolvedAnswer, createdSeconds: number, status: string): Json {
  const ended = status === 'completed' || status === 'incomplete';
  return {
    id: `resp_${answer.id}`,
    object: 'response',
    created_at: createdSeconds,
    status,
    background: false,
    error: null,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    instructions: null,
    max_output_tokens: null,
    model: answer.model,
    output: ended ? answer.blocks.map((block, index) => itemOf(block, answer.id, index)) : [],
    parallel_tool_calls: true,
    previous_response_id: null,
    store: false,
    temperature: 1,
    tool_choice: 'auto',
    top_p: 1,
    truncation: 'disabled',
    usage: ended ? usageOf(answer) : null,
    metadata: {},
  };
}

const endStatus = (answer: ResolvedAnswer): 'completed' | 'incomplete' =>
  answer.stop === 'max-tokens' ? 'incomplete' : 'completed';

/** Body of a call without `stream`. */
export function responsesBody(answer: ResolvedAnswer, createdSeconds: number): Json {
  return responseOf(answer, createdSeconds, endStatus(answer));
}

/** The events of a streamed response, numbered from 0 as the API numbers them. */
export function* responsesEvents(answer: ResolvedAnswer, createdSeconds: number): Generator<WireEvent> {
  let sequence = 0;
  const event = (type: string, rest: Json, piece = false): WireEvent =>
    namedEvent({ type, sequence_number: sequence++, ...rest } as { type: string }, piece);

  yield event('response.created', { response: responseOf(answer, createdSeconds, 'in_progress') });
  yield event('response.in_progress', { response: responseOf(answer, createdSeconds, 'in_progress') });
  for (const [outputIndex, block] of answer.blocks.entries()) {
    const item = itemOf(block, answer.id, outputIndex);
    const at = { item_id: item.id, output_index: outputIndex };
    yield event('response.output_item.added', { output_index: outputIndex, item: unfinished(item) });
    for (const [type, rest, piece] of partsOf(block)) yield event(type, { ...at, ...rest }, piece);
    yield event('response.output_item.done', { output_index: outputIndex, item });
  }
  const status = endStatus(answer);
  yield event(`response.${status}`, { response: responseOf(answer, createdSeconds, status) });
}

/** What `output_item.added` carries: the item before anything was said. */
function unfinished(item: Json): Json {
  switch (item.type) {
    case 'message':
      return { ...item, status: 'in_progress', content: [] };
    case 'reasoning':
      return { ...item, summary: [] };
    case 'function_call':
      return { ...item, status: 'in_progress', arguments: '' };
    default:
      return { ...item, status: 'in_progress', input: '' };
  }
}

function partsOf(block: ResolvedBlock): readonly (readonly [type: string, rest: Json, piece: boolean])[] {
  if (block.type === 'text') {
    const at = { content_index: 0 };
    const part = (text: string): Json => ({ type: 'output_text', annotations: [], logprobs: [], text });
    return [
      ['response.content_part.added', { ...at, part: part('') }, false],
      ...block.pieces.map(
        (delta) => ['response.output_text.delta', { ...at, delta, logprobs: [] }, true] as const,
      ),
      ['response.output_text.done', { ...at, text: block.text, logprobs: [] }, false],
      ['response.content_part.done', { ...at, part: part(block.text) }, false],
    ];
  }
  if (block.type === 'thinking') {
    const at = { summary_index: 0 };
    const part = (text: string): Json => ({ type: 'summary_text', text });
    return [
      ['response.reasoning_summary_part.added', { ...at, part: part('') }, false],
      ...block.pieces.map(
        (delta) => ['response.reasoning_summary_text.delta', { ...at, delta }, false] as const,
      ),
      ['response.reasoning_summary_text.done', { ...at, text: block.text }, false],
      ['response.reasoning_summary_part.done', { ...at, part: part(block.text) }, false],
    ];
  }
  if (block.customInput !== null) {
    return [
      ['response.custom_tool_call_input.delta', { delta: block.customInput }, false],
      ['response.custom_tool_call_input.done', { input: block.customInput }, false],
    ];
  }
  const json = JSON.stringify(block.input);
  return [
    ...argumentParts(json).map(
      (delta) => ['response.function_call_arguments.delta', { delta }, false] as const,
    ),
    ['response.function_call_arguments.done', { name: block.name, arguments: json }, false],
  ];
}

export function responsesStreamError(answer: ResolvedAnswer, createdSeconds: number): WireEvent {
  const error = { code: 'server_error', message: 'The server had an error while processing your request.' };
  return namedEvent({
    type: 'response.failed',
    response: { ...responseOf(answer, createdSeconds, 'failed'), error },
  } as { type: string });
}
