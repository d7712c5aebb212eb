import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsIn, send } from './raw-http.testkit.js';
import { startModelServer } from './server.js';
import type { ModelServer } from './types.js';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const ask = (script: string, body: object = {}) =>
  send(`${server.urlFor(script, script)}/v1/messages`, {
    model: 'm',
    messages: [{ role: 'user', content: 'hi' }],
    ...body,
  });

const usage = (output: number) => ({
  input_tokens: 120,
  cache_creation_input_tokens: 30,
  cache_read_input_tokens: 900,
  output_tokens: output,
});

describe('Anthropic Messages', () => {
  it('streams a text in the order of the API', async () => {
    const answer = await ask('plain', { stream: true });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(answer.headers['request-id']).toMatch(/^req_\d+$/);
    const events = eventsIn(answer.text);
    const id = expect.stringMatching(/^msg_\d+$/);
    const delta = (text: string) => ({
      name: 'content_block_delta',
      data: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    });
    expect(events).toEqual([
      {
        name: 'message_start',
        data: {
          type: 'message_start',
          message: {
            id,
            type: 'message',
            role: 'assistant',
            model: 'm',
            content: [],
            stop_reason: null,
            stop_sequence: null,
            usage: usage(1),
          },
        },
      },
      {
        name: 'content_block_start',
        data: { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      },
      { name: 'ping', data: { type: 'ping' } },
      delta('The '),
      delta('answer '),
      delta('is '),
      delta('four.'),
      { name: 'content_block_stop', data: { type: 'content_block_stop', index: 0 } },
      {
        name: 'message_delta',
        data: {
          type: 'message_delta',
          delta: { stop_reason: 'end_turn', stop_sequence: null },
          usage: { output_tokens: 27 },
        },
      },
      { name: 'message_stop', data: { type: 'message_stop' } },
    ]);
  });

  it('streams thinking with a signature, then the text in a block of its own', async () => {
    const events = eventsIn((await ask('think', { stream: true })).text).map(({ data }) => data);
    expect(events[1]).toEqual({
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'thinking', thinking: '', signature: '' },
    });
    expect(events[3]).toEqual({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'thinking_delta', thinking: 'Two ' },
    });
    expect(events[8]).toEqual({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'signature_delta', signature: 'c2ln' },
    });
    expect(events[9]).toEqual({ type: 'content_block_stop', index: 0 });
    expect(events[10]).toEqual({
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'text', text: '' },
    });
  });

  it('streams parallel tool calls under the names the request offers, then answers their results', async () => {
    const tools = [{ name: 'mcp__mur__echo', input_schema: { type: 'object' } }];
    const events = eventsIn((await ask('tools2', { stream: true, tools })).text).map(
      ({ data }) => data as never,
    );
    const starts = events.filter((event: { type: string }) => event.type === 'content_block_start');
    expect(starts.slice(1)).toEqual([
      expect.objectContaining({
        index: 1,
        content_block: {
          type: 'tool_use',
          id: expect.stringMatching(/^toolu_/),
          name: 'mcp__mur__echo',
          input: {},
        },
      }),
      expect.objectContaining({
        index: 2,
        content_block: expect.objectContaining({ name: 'mcp__mur__echo', input: {} }),
      }),
    ]);
    const json = events
      .filter(
        (event: { index?: number; delta?: { type: string } }) =>
          event.index === 1 && event.delta !== undefined,
      )
      .map((event: { delta: { partial_json: string } }) => event.delta.partial_json)
      .join('');
    expect(JSON.parse(json)).toEqual({ text: 'ping-1' });
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' } });

    const results = [
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'echo: ping-1' }] },
    ];
    const next = await ask('tools2', { messages: results });
    expect(JSON.parse(next.text).content).toEqual([{ type: 'text', text: 'The answer is four.' }]);
  });

  it('answers whole without `stream`', async () => {
    const { text, headers } = await ask('think');
    expect(headers['content-type']).toBe('application/json');
    expect(JSON.parse(text)).toEqual({
      id: expect.stringMatching(/^msg_\d+$/),
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [
        { type: 'thinking', thinking: 'Two and two make four.', signature: 'c2ln' },
        { type: 'text', text: 'The answer is four.' },
      ],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: usage(27),
    });
  });

  it.each([
    ['e400', 400, 'invalid_request_error'],
    ['e401', 401, 'authentication_error'],
    ['e403', 403, 'permission_error'],
    ['e429', 429, 'rate_limit_error'],
    ['e500', 500, 'api_error'],
    ['e529', 529, 'overloaded_error'],
  ])('fails as %s does', async (script, status, type) => {
    const answer = await ask(script, { stream: true });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toEqual({
      type: 'error',
      error: { type, message: expect.any(String) },
      request_id: answer.headers['request-id'],
    });
    expect(answer.headers['retry-after']).toBe(script === 'e429' ? '1' : undefined);
  });

  it('reports an error inside a stream', async () => {
    const answer = await ask('miderror', { stream: true });
    expect(eventsIn(answer.text).at(-1)).toEqual({
      name: 'error',
      data: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    });
    expect(answer.broke).toBeNull();
  });
});
