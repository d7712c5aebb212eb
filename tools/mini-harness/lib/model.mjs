import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure, print } from './output.mjs';
import { TOOLS } from './tools.mjs';

const RETRYABLE = new Set([408, 429, 500, 502, 503, 504, 529]);
const baseUrl = process.env.MINI_BASE_URL ?? 'http://127.0.0.1:4100';
const maxRetries = Number(process.env.MINI_MAX_RETRIES ?? 2);

/** Splits a response body into server-sent events and yields their parsed data. */
async function* serverSentEvents(response) {
  let rest = '';
  response.setEncoding('utf8');
  for await (const chunk of response) {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop();
    for (const block of blocks) {
      const data = block.split('\n').find((line) => line.startsWith('data: '));
      if (data !== undefined) yield JSON.parse(data.slice(6));
    }
  }
}

function post(body, key, signal) {
  const headers = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' };
  if (key !== null) headers['x-api-key'] = key;
  return new Promise((resolveResponse, reject) => {
    const request = http.request(
      `${baseUrl}/v1/messages`,
      { method: 'POST', headers, signal },
      resolveResponse,
    );
    request.on('error', reject);
    request.end(JSON.stringify(body));
  });
}

/** One model call: streams deltas and returns what the model said. Throws a plain Error when a retry may help. */
async function callModel(session, system, key, usage, signal) {
  const body = {
    model: session.model,
    max_tokens: 4096,
    stream: true,
    messages: session.messages,
    tools: TOOLS,
  };
  const response = await post(system === null ? body : { ...body, system }, key, signal);
  if (response.statusCode !== 200) {
    const { error } = JSON.parse(Buffer.concat(await response.toArray()).toString('utf8') || '{}');
    const message = `${response.statusCode} ${error?.message ?? 'no reason given'}`;
    if (response.statusCode === 401 || response.statusCode === 403) throw new Failure('auth', message);
    if (!RETRYABLE.has(response.statusCode)) throw new Failure('error', message);
    const waitSeconds = Number(response.headers['retry-after'] ?? 0.05);
    throw Object.assign(new Error(message), {
      waitMs: waitSeconds * 1000,
      quota: response.statusCode === 429,
    });
  }
  const content = [];
  let id = null;
  let stop = null;
  for await (const event of serverSentEvents(response)) {
    if (event.type === 'error') throw new Error(event.error?.message ?? 'stream error');
    if (event.type === 'message_start') {
      id = event.message.id;
      usage.input += event.message.usage.input_tokens;
      usage.cache_read += event.message.usage.cache_read_input_tokens ?? 0;
      usage.cache_write += event.message.usage.cache_creation_input_tokens ?? 0;
    } else if (event.type === 'content_block_start')
      content[event.index] = { ...event.content_block, json: '' };
    else if (event.type === 'content_block_delta') takeDelta(content[event.index], event.delta, id);
    else if (event.type === 'content_block_stop') finishBlock(content[event.index]);
    else if (event.type === 'message_delta') {
      stop = event.delta.stop_reason;
      usage.output += event.usage.output_tokens;
    } else if (event.type === 'message_stop') return { id, content, stop };
  }
  throw new Error('the stream ended before the answer did');
}

function takeDelta(block, delta, message) {
  if (delta.type === 'text_delta') {
    block.text += delta.text;
    print({ type: 'delta', message, text: delta.text });
  } else if (delta.type === 'thinking_delta') {
    block.thinking += delta.thinking;
    print({ type: 'thinking', message, text: delta.thinking });
  } else if (delta.type === 'signature_delta') block.signature = delta.signature;
  else if (delta.type === 'input_json_delta') block.json += delta.partial_json;
}

function finishBlock(block) {
  if (block.type === 'tool_use') block.input = JSON.parse(block.json || '{}');
  delete block.json;
}

export async function callWithRetries(...callArguments) {
  const signal = callArguments.at(-1);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await callModel(...callArguments);
    } catch (error) {
      if (signal.aborted || error instanceof Failure) throw error;
      const reason = error.message || error.code;
      if (attempt > maxRetries) throw new Failure(error.quota ? 'quota' : 'error', reason);
      print({ type: 'retry', attempt, reason });
      await delay(error.waitMs ?? 50, undefined, { signal });
    }
  }
}
