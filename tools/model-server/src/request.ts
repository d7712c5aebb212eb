import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Api } from './types.js';

/** Request bodies above this are cut off; a harness's request with tools is some 40 kB. */
const BODY_LIMIT_BYTES = 64 * 1024 * 1024;

export async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    const bytes = part as Buffer;
    size += bytes.length;
    if (size > BODY_LIMIT_BYTES) throw new Error('request body too large');
    parts.push(bytes);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Where a request goes: `/c/<script>~<tag>/v1/messages?beta=true` → script, tag and `/v1/messages`. */
export function route(path: string): { script: string | null; tag: string; endpoint: string } {
  const [pathname = '/'] = path.split('?', 1);
  const prefixed = /^\/c\/([^/~]+)(?:~([^/]*))?(\/.*)?$/.exec(pathname);
  if (prefixed === null) return { script: null, tag: '', endpoint: pathname };
  const script = decodeURIComponent(prefixed[1] ?? '');
  return { script, tag: decodeURIComponent(prefixed[2] ?? ''), endpoint: prefixed[3] ?? '/' };
}

export function apiOf(method: string, endpoint: string): Api {
  if (method !== 'POST') return 'other';
  if (endpoint === '/v1/messages') return 'anthropic';
  if (endpoint === '/v1/responses') return 'responses';
  if (endpoint === '/v1/chat/completions') return 'chat';
  return 'other';
}

export function headersOf(headers: IncomingHttpHeaders): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type JsonObject = Readonly<Record<string, unknown>>;

const asObject = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What the scripts need to know of a request, whichever API it speaks. */
export interface Conversation {
  readonly model: string;
  readonly stream: boolean;
  readonly userTexts: readonly string[];
  /** Texts of the tool results that end the request; empty when it does not end with any. */
  readonly toolResults: readonly string[];
  /** Offered tools: bare name, and the namespace they lie in. */
  readonly tools: readonly OfferedTool[];
  /** Chat Completions: a usage chunk was asked for. */
  readonly streamUsage: boolean;
}

export interface OfferedTool {
  readonly name: string;
  readonly namespace: string | null;
  /** A free-form tool of the Responses API. */
  readonly custom: boolean;
}

export function readConversation(api: Api, json: unknown): Conversation {
  const body = asObject(json);
  const messages =
    api === 'responses'
      ? typeof body.input === 'string'
        ? [{ type: 'message', role: 'user', content: body.input }]
        : asList(body.input)
      : asList(body.messages);
  const items = messages.map(asObject);
  return {
    model: asText(body.model) || 'scripted',
    stream: body.stream === true,
    userTexts: items.filter((item) => item.role === 'user').flatMap((item) => textsOf(item.content)),
    toolResults: endingToolResults(items),
    tools: asList(body.tools).flatMap((tool) => offeredTools(asObject(tool), null)),
    streamUsage: asObject(body.stream_options).include_usage === true,
  };
}

function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  return asList(content)
    .map(asObject)
    .filter((part) => (part.type === 'text' || part.type === 'input_text') && typeof part.text === 'string')
    .map((part) => asText(part.text));
}

function endingToolResults(items: readonly JsonObject[]): string[] {
  const results: string[] = [];
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index] ?? {};
    const found = toolResultsIn(item);
    if (found.length === 0) break;
    results.unshift(...found);
  }
  return results;
}

function toolResultsIn(item: JsonObject): string[] {
  if (item.role === 'tool') return [textsOf(item.content).join('')];
  if (item.type === 'function_call_output' || item.type === 'custom_tool_call_output') {
    return [typeof item.output === 'string' ? item.output : JSON.stringify(item.output ?? null)];
  }
  return asList(item.content)
    .map(asObject)
    .filter((part) => part.type === 'tool_result')
    .map((part) => textsOf(part.content).join(''));
}

function offeredTools(tool: JsonObject, namespace: string | null): OfferedTool[] {
  if (tool.type === 'namespace') {
    return asList(tool.tools).flatMap((inner) => offeredTools(asObject(inner), asText(tool.name)));
  }
  const name = asText(tool.name) || asText(asObject(tool.function).name);
  return name === '' ? [] : [{ name, namespace, custom: tool.type === 'custom' }];
}
