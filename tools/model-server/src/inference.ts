import type { ServerResponse } from 'node:http';
import type { ResolvedAnswer } from './answer.js';
import { anthropicBody, anthropicError, anthropicEvents, anthropicStreamError } from './anthropic.js';
import { chatBody, chatEvents, chatStreamError, openAiError } from './chat.js';
import { deliverBody, deliverStream, pause } from './deliver.js';
import type { Conversation } from './request.js';
import { responsesBody, responsesEvents, responsesStreamError } from './responses.js';
import type { Api, RecordedRequest, Step } from './types.js';
import type { WireEvent } from './wire.js';

export interface Inference {
  readonly api: Exclude<Api, 'other'>;
  readonly step: Step;
  /** Null when the step is a failure. */
  readonly answer: ResolvedAnswer | null;
  readonly conversation: Conversation;
  readonly number: number;
}

/** Serves one inference call and says what became of it. */
export async function serveInference(
  response: ServerResponse,
  inference: Inference,
  gone: AbortSignal,
): Promise<RecordedRequest['outcome']> {
  const { api, step, answer, conversation } = inference;
  const requestId = `req_${inference.number}`;
  response.setHeader(api === 'anthropic' ? 'request-id' : 'x-request-id', requestId);
  if ('failure' in step || answer === null) {
    if (!('failure' in step)) throw new Error('an answer step without an answer');
    if (step.retryAfterSeconds !== undefined)
      response.setHeader('retry-after', String(step.retryAfterSeconds));
    response.writeHead(step.failure, { 'content-type': 'application/json' });
    response.end(JSON.stringify(api === 'anthropic' ? anthropicError(step, requestId) : openAiError(step)));
    return 'failed';
  }
  const pace = step.pace ?? {};
  await pause(pace.firstByteDelayMs ?? 0, gone);
  if (gone.aborted) return 'client-left';
  const createdSeconds = Math.floor(Date.now() / 1000);
  if (!conversation.stream) {
    response.writeHead(200, { 'content-type': 'application/json' });
    return deliverBody(response, bodyOf(api, answer, createdSeconds), pace, gone);
  }
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  });
  const events = eventsOf(api, answer, createdSeconds, conversation);
  return deliverStream(response, events, () => streamErrorOf(api, answer, createdSeconds), pace, gone);
}

function bodyOf(api: Inference['api'], answer: ResolvedAnswer, createdSeconds: number): unknown {
  if (api === 'anthropic') return anthropicBody(answer);
  return api === 'responses' ? responsesBody(answer, createdSeconds) : chatBody(answer, createdSeconds);
}

function eventsOf(
  api: Inference['api'],
  answer: ResolvedAnswer,
  createdSeconds: number,
  conversation: Conversation,
): Iterable<WireEvent> {
  if (api === 'anthropic') return anthropicEvents(answer);
  if (api === 'responses') return responsesEvents(answer, createdSeconds);
  return chatEvents(answer, createdSeconds, conversation.streamUsage);
}

function streamErrorOf(api: Inference['api'], answer: ResolvedAnswer, createdSeconds: number): WireEvent {
  if (api === 'anthropic') return anthropicStreamError();
  return api === 'responses' ? responsesStreamError(answer, createdSeconds) : chatStreamError();
}
