import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chooseStep, resolveAnswer } from './answer.js';
import { serveInference } from './inference.js';
import { serveOther } from './other.js';
import { apiOf, headersOf, parseJson, readBody, readConversation, route } from './request.js';
import { builtInScripts } from './scripts.js';
import type { ModelServer, ModelServerOptions, RecordedRequest, Script } from './types.js';

type MutableRequest = { -readonly [Key in keyof RecordedRequest]: RecordedRequest[Key] };

/**
 * Starts a scripted model on 127.0.0.1. It speaks the Anthropic Messages, OpenAI Responses and Chat Completions
 * formats below `/v1/…`, and below `/c/<script>~<tag>/v1/…` for a script of choice.
 */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const scripts = new Map<string, Script>(Object.entries({ ...builtInScripts, ...options.scripts }));
  const fallback = options.script ?? 'echo';
  if (typeof fallback === 'string' && !scripts.has(fallback))
    throw new Error(`no script is called ${fallback}`);

  const requests: MutableRequest[] = [];
  const counted = new Map<string, number>();
  const watchers = new Set<() => void>();
  const requestsOf = (tag: string): readonly RecordedRequest[] =>
    requests.filter((request) => request.tag === tag && request.api !== 'other');

  function findScript(name: string | null): Script | undefined {
    if (name !== null) return scripts.get(name);
    return typeof fallback === 'string' ? scripts.get(fallback) : fallback;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const path = request.url ?? '/';
    const method = request.method ?? 'GET';
    const { script: name, tag, endpoint } = route(path);
    const body = await readBody(request);
    const json = parseJson(body);
    const api = apiOf(method, endpoint);
    const conversation = readConversation(api, json);
    const record: MutableRequest = {
      number: requests.length + 1,
      method,
      path,
      headers: headersOf(request.headers),
      body,
      json,
      api,
      script: name ?? (typeof fallback === 'string' ? fallback : 'default'),
      tag,
      userTexts: conversation.userTexts,
      outcome: 'pending',
    };
    requests.push(record);
    for (const watcher of watchers) watcher();

    const script = findScript(name);
    if (api === 'other' || script === undefined) {
      serveOther(response, endpoint, script === undefined ? `no script is called ${record.script}` : null);
      record.outcome = 'answered';
      return;
    }
    const count = counted.get(tag) ?? 0;
    const step = chooseStep(script, count, conversation);
    if (step !== script.afterToolResults) counted.set(tag, count + 1);
    const answer = 'failure' in step ? null : resolveAnswer(script, step, conversation, record.number);
    record.outcome = await serveInference(
      response,
      { api, step, answer, conversation, number: record.number },
      gone.signal,
    );
  }

  const server = createServer((request, response) => {
    // A client that breaks off mid-request is the client's business.
    serve(request, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function close(): Promise<void> {
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }

  return {
    url,
    urlFor: (script, tag = '') => `${url}/c/${encodeURIComponent(script)}~${encodeURIComponent(tag)}`,
    requests,
    requestsOf,
    seen: (tag, count) =>
      new Promise((resolve) => {
        const check = (): void => {
          const found = requestsOf(tag);
          if (found.length < count) return;
          watchers.delete(check);
          resolve(found);
        };
        watchers.add(check);
        check();
      }),
    close,
    [Symbol.asyncDispose]: close,
  };
}
