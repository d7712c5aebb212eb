import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsIn, send } from './raw-http.testkit.js';
import { startModelServer } from './server.js';
import type { ModelServer } from './types.js';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

type Data = { readonly type: string; readonly sequence_number: number; readonly [key: string]: unknown };

const ask = (script: string, body: object = {}) =>
  send(`${server.urlFor(script, script)}/v1/responses`, { model: 'm', input: 'hi', ...body });

async function stream(script: string, body: object = {}): Promise<Data[]> {
  const events = eventsIn((await ask(script, { stream: true, ...body })).text);
  for (const { name, data } of events) expect(name).toBe((data as Data).type);
  return events.map(({ data }) => data as Data);
}

const USAGE = {
  input_tokens: 1020,
  input_tokens_details: { cached_tokens: 900 },
  output_tokens: 27,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 1047,
};

describe('OpenAI Responses', () => {
  it('streams a text in the order of the API, numbered from 0', async () => {
    const events = await stream('plain');
    expect(events.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
    expect(events[0]?.response).toMatchObject({
      object: 'response',
      status: 'in_progress',
      output: [],
      usage: null,
    });
    const item = {
      id: expect.stringMatching(/^msg_/),
      type: 'message',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', annotations: [], logprobs: [], text: 'The answer is four.' }],
    };
    expect(events[2]?.item).toEqual({ ...item, status: 'in_progress', content: [] });
    const id = (events[2]?.item as { id: string } | undefined)?.id;
    expect(events[4]).toMatchObject({ item_id: id, output_index: 0, content_index: 0, delta: 'The ' });
    expect(events[8]).toMatchObject({ item_id: id, text: 'The answer is four.' });
    expect(events[10]?.item).toEqual(item);
    expect(events[11]?.response).toMatchObject({ status: 'completed', output: [item], usage: USAGE });
  });

  it('streams reasoning as a summary', async () => {
    const events = await stream('think');
    expect(events.slice(2, 12).map(({ type }) => type)).toEqual([
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      ...Array.from({ length: 5 }, () => 'response.reasoning_summary_text.delta'),
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
    ]);
    expect(events[11]?.item).toEqual({
      id: expect.stringMatching(/^rs_/),
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'Two and two make four.' }],
    });
    expect(events.at(-1)?.response).toMatchObject({
      usage: { output_tokens_details: { reasoning_tokens: 9 } },
    });
  });

  it('calls a function, a namespaced one and a free-form one as they are offered', async () => {
    const plain = await stream('bash', { tools: [{ type: 'function', name: 'exec_command' }] });
    expect(plain.slice(2, 7).map(({ type }) => type)).toEqual([
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
    ]);
    expect(plain[2]?.item).toMatchObject({ type: 'function_call', status: 'in_progress', arguments: '' });
    const json = '{"cmd":"echo shell-ok; id -u; ls"}';
    expect(`${plain[3]?.delta}${plain[4]?.delta}`).toBe(json);
    expect(plain[6]?.item).toMatchObject({ status: 'completed', name: 'exec_command', arguments: json });

    const tools = [{ type: 'namespace', name: 'mcp__mur', tools: [{ type: 'function', name: 'echo' }] }];
    const namespaced = await stream('tool', { tools });
    expect(namespaced.at(-2)?.item).toMatchObject({ namespace: 'mcp__mur', name: 'echo' });

    const custom = await stream('write', { tools: [{ type: 'custom', name: 'apply_patch' }] });
    expect(custom.map(({ type }) => type)).toContain('response.custom_tool_call_input.done');
    expect(custom.at(-2)?.item).toMatchObject({
      type: 'custom_tool_call',
      name: 'apply_patch',
      input: expect.stringContaining('*** Begin Patch'),
    });
  });

  it('answers tool results, whichever kind of call they belong to', async () => {
    for (const type of ['function_call_output', 'custom_tool_call_output']) {
      const answer = await ask('bash', {
        input: [
          { type: 'message', role: 'user', content: 'x' },
          { type, output: 'ok' },
        ],
      });
      expect(JSON.parse(answer.text).output[0].content[0].text).toBe('The answer is four.');
    }
  });

  it('says that the answer hit the token limit', async () => {
    const last = (await stream('maxtokens')).at(-1);
    expect(last?.type).toBe('response.incomplete');
    expect(last?.response).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    });
  });

  it.each([
    ['e401', 401, { type: 'invalid_request_error', code: 'invalid_api_key' }],
    ['e429', 429, { type: 'requests', code: 'rate_limit_exceeded' }],
    ['quota', 429, { type: 'insufficient_quota', code: 'insufficient_quota' }],
    ['e500', 500, { type: 'server_error', code: null }],
  ])('fails as %s does', async (script, status, error) => {
    const answer = await ask(script, { stream: true });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toEqual({
      error: { message: expect.any(String), param: null, ...error },
    });
  });

  it('fails inside a stream', async () => {
    expect((await stream('miderror')).at(-1)).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'server_error' } },
    });
  });
});
