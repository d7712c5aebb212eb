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
  send(`${server.urlFor(script, script)}/v1/chat/completions`, {
    model: 'm',
    messages: [{ role: 'user', content: 'hi' }],
    ...body,
  });

type Chunk = { choices: { delta: Record<string, unknown>; finish_reason: string | null }[]; usage?: unknown };

async function stream(script: string, body: object = {}): Promise<(Chunk | '[DONE]')[]> {
  const events = eventsIn((await ask(script, { stream: true, ...body })).text);
  for (const { name } of events) expect(name).toBeNull();
  return events.map(({ data }) => data as Chunk);
}

const deltas = (chunks: readonly (Chunk | '[DONE]')[]) =>
  chunks.map((chunk) => (chunk === '[DONE]' ? chunk : (chunk.choices[0]?.delta ?? null)));

const USAGE = {
  prompt_tokens: 1020,
  completion_tokens: 27,
  total_tokens: 1047,
  prompt_tokens_details: { cached_tokens: 900 },
  completion_tokens_details: { reasoning_tokens: 0 },
};

describe('Chat Completions', () => {
  it('streams a text; usage comes only when asked for, in a chunk without choices', async () => {
    const chunks = await stream('plain');
    expect(deltas(chunks)).toEqual([
      { role: 'assistant', content: '', refusal: null },
      { content: 'The ' },
      { content: 'answer ' },
      { content: 'is ' },
      { content: 'four.' },
      {},
      '[DONE]',
    ]);
    expect(chunks.at(-2)).toMatchObject({
      object: 'chat.completion.chunk',
      choices: [{ finish_reason: 'stop' }],
    });
    expect(chunks.some((chunk) => chunk !== '[DONE]' && 'usage' in chunk)).toBe(false);

    const counted = await stream('plain', { stream_options: { include_usage: true } });
    expect(counted.at(-2)).toMatchObject({ choices: [], usage: USAGE });
    expect(counted.slice(0, -2).every((chunk) => chunk !== '[DONE]' && chunk.usage === null)).toBe(true);
  });

  it('streams reasoning before the text', async () => {
    expect(deltas(await stream('think')).slice(1, 7)).toEqual([
      { reasoning_content: 'Two ' },
      { reasoning_content: 'and ' },
      { reasoning_content: 'two ' },
      { reasoning_content: 'make ' },
      { reasoning_content: 'four.' },
      { content: 'The ' },
    ]);
  });

  it('streams tool calls by index and answers their results', async () => {
    const tools = [{ type: 'function', function: { name: 'echo', parameters: {} } }];
    const chunks = await stream('tools2', { tools });
    const calls = deltas(chunks).flatMap(
      (delta) => (delta as { tool_calls?: object[] } | null)?.tool_calls ?? [],
    );
    expect(calls[0]).toEqual({
      index: 0,
      id: expect.stringMatching(/^call_/),
      type: 'function',
      function: { name: 'echo', arguments: '' },
    });
    expect(calls.map((call) => (call as { index: number }).index)).toEqual([0, 0, 0, 1, 1, 1]);
    expect(chunks.at(-2)).toMatchObject({ choices: [{ finish_reason: 'tool_calls' }] });

    const messages = [
      { role: 'user', content: 'hi' },
      { role: 'tool', tool_call_id: 'c', content: 'echo: ping-1' },
    ];
    const next = JSON.parse((await ask('tools2', { messages })).text);
    expect(next.choices[0].message.content).toBe('The answer is four.');
  });

  it('answers whole without `stream`', async () => {
    const body = JSON.parse(
      (await ask('bash', { tools: [{ type: 'function', function: { name: 'bash' } }] })).text,
    );
    expect(body).toMatchObject({
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          finish_reason: 'tool_calls',
          message: {
            role: 'assistant',
            content: null,
            tool_calls: [{ type: 'function', function: { name: 'bash' } }],
          },
        },
      ],
      usage: USAGE,
    });
  });

  it('reports an error inside a stream', async () => {
    expect((await stream('miderror')).at(-1)).toMatchObject({ error: { type: 'server_error' } });
  });
});
