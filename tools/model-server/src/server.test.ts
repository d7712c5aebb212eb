import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resolveAnswer } from './answer.js';
import { anthropicEvents } from './anthropic.js';
import { chatEvents } from './chat.js';
import { eventsIn, send } from './raw-http.testkit.js';
import { readConversation } from './request.js';
import { responsesEvents } from './responses.js';
import { startModelServer } from './server.js';
import type { ModelServer, Script } from './types.js';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({
    scripts: { counting: { steps: [{ failure: 500 }, { blocks: [{ type: 'text', text: 'second' }] }] } },
  });
});
afterAll(() => server.close());

const user = (content: unknown) => ({ model: 'm', messages: [{ role: 'user', content }] });
const textOf = async (url: string, body: unknown): Promise<string> =>
  JSON.parse((await send(`${url}/v1/messages`, body)).text).content[0].text;

describe('scripts', () => {
  it('answers from the request by default', async () => {
    expect(await textOf(server.url, user('When I say ping you say?'))).toBe('pong');
    expect(await textOf(server.url, user([{ type: 'text', text: 'Hello {answer}' }]))).toBe(
      'You said: Hello {answer}',
    );
  });

  it('counts requests for each tag by itself', async () => {
    const first = `${server.urlFor('counting', 'a')}/v1/messages`;
    expect((await send(first, user('x'))).status).toBe(500);
    expect((await send(`${server.urlFor('counting', 'b')}/v1/messages`, user('x'))).status).toBe(500);
    expect((await send(first, user('x'))).status).toBe(200);
    expect((await send(first, user('x'))).status).toBe(200);
  });

  it('refuses a script nobody knows, at the start and by path', async () => {
    await expect(startModelServer({ script: 'nope' })).rejects.toThrow('no script is called nope');
    const answer = await send(`${server.urlFor('nope', 't')}/v1/messages`, user('x'));
    expect(answer.status).toBe(404);
    expect(answer.text).toContain('no script is called nope');
  });

  it('records what it saw', async () => {
    await send(`${server.urlFor('plain', 'seen')}/v1/responses?x=1`, {
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'one' }] }],
    });
    const [record] = await server.seen('seen', 1);
    expect(record).toMatchObject({
      method: 'POST',
      path: '/c/plain~seen/v1/responses?x=1',
      api: 'responses',
      script: 'plain',
      tag: 'seen',
      userTexts: ['one'],
      outcome: 'answered',
    });
    expect(record?.headers.host).toBe(new URL(server.url).host);
  });

  it('serves what harnesses ask besides', async () => {
    expect((await send(`${server.urlFor('plain', 'o')}/v1/messages/count_tokens`, {})).text).toBe(
      '{"input_tokens":100}',
    );
    expect((await send(`${server.url}/`, undefined, { method: 'HEAD' })).status).toBe(200);
    expect(
      (await send(`${server.urlFor('plain', 'o')}/v1/models`, undefined, { method: 'GET' })).status,
    ).toBe(404);
    expect(server.requestsOf('o')).toEqual([]);
  });
});

describe('broken streams', () => {
  it.each([
    ['cut', 'ECONNRESET'],
    ['cutclean', null],
  ])('%s breaks off after two words', async (script, broke) => {
    const answer = await send(`${server.urlFor(script, script)}/v1/messages`, { ...user('x'), stream: true });
    expect(answer.broke).toBe(broke);
    expect(eventsIn(answer.text).at(-1)?.data).toMatchObject({ delta: { text: 'answer ' } });
    expect(server.requestsOf(script)[0]?.outcome).toBe('cut');
  });

  it('cuthard resets: the client may lose even what was sent', async () => {
    const url = `${server.urlFor('cuthard', 'cuthard')}/v1/messages`;
    const answer = send(url, { ...user('x'), stream: true }).then(
      ({ broke }) => broke,
      (error: NodeJS.ErrnoException) => error.code,
    );
    expect(await answer).toBe('ECONNRESET');
    expect(server.requestsOf('cuthard')[0]?.outcome).toBe('cut');
  });

  it('cuts a body without `stream` too', async () => {
    const answer = await send(`${server.urlFor('cut', 'body')}/v1/messages`, user('x'));
    expect(answer.broke).toBe('ECONNRESET');
    expect(() => JSON.parse(answer.text)).toThrow();
  });

  it.each(['stall', 'silent', 'slow'])('%s notices that the client left', async (script) => {
    const controller = new AbortController();
    const pending = send(
      `${server.urlFor(script, script)}/v1/messages`,
      { ...user('x'), stream: true },
      controller,
    );
    const swallowed = pending.catch(() => undefined);
    const [record] = await server.seen(script, 1);
    expect(record?.outcome).toBe('pending');
    controller.abort();
    await swallowed;
    await expect.poll(() => record?.outcome).toBe('client-left');
  });

  it('closes with streams open', async () => {
    const own = await startModelServer({ script: 'stall' });
    const pending = send(`${own.url}/v1/messages`, { ...user('x'), stream: true }).catch(() => null);
    await own.seen('', 1);
    await own.close();
    await pending;
  });
});

it('delivers any text unharmed through every API', () => {
  const conversation = readConversation('other', {});
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const step = { blocks: [{ type: 'text' as const, text: '{answer}' }] };
      const script: Script = { steps: [step], answers: [{ pattern: '', answer: text }] };
      const answer = resolveAnswer(script, step, conversation, 1);
      const joined = (
        events: Iterable<{ text: string }>,
        pick: (data: never) => string | undefined,
      ): string =>
        [...events]
          .flatMap((event) => eventsIn(event.text))
          .map(({ data }) => pick(data as never) ?? '')
          .join('');
      expect(joined(anthropicEvents(answer), (data: { delta?: { text?: string } }) => data.delta?.text)).toBe(
        text,
      );
      expect(
        joined(responsesEvents(answer, 0), (data: { type: string; delta?: string }) =>
          data.type.endsWith('.delta') ? data.delta : '',
        ),
      ).toBe(text);
      expect(
        joined(
          chatEvents(answer, 0, false),
          (data: { choices?: { delta: { content?: string } }[] }) => data.choices?.[0]?.delta.content,
        ),
      ).toBe(text);
    }),
  );
});
