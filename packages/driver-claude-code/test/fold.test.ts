import type { LaunchRequest } from '@murmur/driver-sdk';
import { expect, test } from 'vitest';
import { process as driver } from '../src/index.js';
import { bridge, requestOf } from './replay.js';

const start = (more: Partial<LaunchRequest> = {}) => driver.launch({ ...requestOf('plain'), ...more });
const parse = (...lines: readonly unknown[]) => driver.parse(lines.map((line) => JSON.stringify(line)));
const stream = (event: unknown) => ({ type: 'stream_event', event, parent_tool_use_id: null });
const said = (id: string, block: unknown, more: object = {}) => ({
  type: 'assistant',
  message: { id, model: 'm', content: [block], stop_reason: null, ...more },
  parent_tool_use_id: null,
});
const textBlock = (text: string) => ({ type: 'text', text });
const counts = (input: number, output: number) => ({
  input_tokens: input,
  output_tokens: output,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
});
const result = (more: object) => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'ok',
  ...more,
});

test('blocks of a message come out as one text, given before a call of the same message', () => {
  start();
  const events = parse(
    stream({ type: 'message_start', message: { id: 'a' } }),
    stream({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'one' } }),
    said('a', textBlock('one')),
    stream({ type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: ' two' } }),
    said('a', textBlock(' two')),
    said('a', { type: 'tool_use', id: 't', name: 'mcp__mur__echo' }),
    stream({ type: 'message_stop' }),
  );
  expect(events.map((event) => event.val)).toEqual([
    'one',
    ' two',
    'one two',
    { id: 't', name: 'echo', input: '{}' },
  ]);
});

test('a message that never closes leaves no text behind', () => {
  start();
  const events = parse(
    stream({ type: 'message_start', message: { id: 'a' } }),
    stream({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'lost' } }),
    said('b', textBlock('kept'), { stop_reason: 'end_turn' }),
    result({}),
  );
  expect(events.filter((event) => event.tag === 'text')).toEqual([{ tag: 'text', val: 'kept' }]);
});

test('lines of agents below the main one give nothing, whatever they are', () => {
  start();
  const below = { parent_tool_use_id: 'toolu_9' };
  expect(
    parse(
      { ...said('a', textBlock('theirs')), ...below },
      { ...stream({ type: 'content_block_delta', delta: { type: 'text_delta', text: 'x' } }), ...below },
      { ...result({}), ...below },
    ),
  ).toEqual([]);
});

test("tools keep their own names, other servers' prefixes stay, and a result needs its call", () => {
  const made = { ...bridge, serverName: 'my.server', toolNames: ['scope/echo', 'plain'] };
  start({ bridge: made });
  const call = (id: string, name: string) => said('a', { type: 'tool_use', id, name, input: { a: 1 } });
  const events = parse(
    call('1', 'mcp__my_server__scope_echo'),
    call('2', 'mcp__my_server__plain'),
    call('3', 'mcp__other__plain'),
    call('4', 'Bash'),
    call('1', 'mcp__my_server__scope_echo'),
    {
      type: 'user',
      message: {
        content: [
          { type: 'tool_result', tool_use_id: '2', content: 'fine', is_error: true },
          { type: 'tool_result', tool_use_id: '9', content: 'whose?' },
        ],
      },
    },
  );
  expect(events.map((event) => (event.tag === 'tool-call' ? event.val.name : event.tag))).toEqual([
    'scope/echo',
    'plain',
    'mcp__other__plain',
    'Bash',
    'tool-result',
    'note',
  ]);
});

test('counts: the turn’s own figures are added up over the process', () => {
  start();
  const turn = [said('a', textBlock('x')), result({ usage: counts(10, 2) })];
  const usages = [...parse(...turn), ...parse(...turn)].filter((event) => event.tag === 'usage');
  expect(usages.map((event) => event.val)).toEqual([
    { input: 10, output: 2, cacheRead: 0, cacheCreation: 0 },
    { input: 20, output: 4, cacheRead: 0, cacheCreation: 0 },
  ]);
});

const modelUsage = {
  big: { inputTokens: 11, outputTokens: 7, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 },
  small: { inputTokens: 1, outputTokens: 1, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 },
};
const whole = (id: string, input: number, output: number) =>
  said(id, textBlock('x'), { stop_reason: 'end_turn', usage: counts(input, output) });
const usageOf = (events: ReturnType<typeof parse>) =>
  events.find((event) => event.tag === 'usage')?.val ?? events.find((event) => event.tag === 'note')?.val;

test.each([
  [
    'a new session takes the figures by model',
    'new',
    [whole('a', 11, 7)],
    counts(0, 0),
    { input: 12, output: 8 },
  ],
  ['a resumed one cannot', 'resume', [whole('a', 11, 7)], counts(0, 0), expect.stringContaining('absent')],
  [
    'also where only a part is missing',
    'new',
    [whole('a', 5, 2), whole('b', 6, 5)],
    counts(5, 2),
    { input: 12, output: 8 },
  ],
  ['zeros are true where nothing was counted', 'resume', [], counts(0, 0), { input: 0, output: 0 }],
  [
    'and untrue after a broken stream',
    'resume',
    [stream({ type: 'message_start', message: { id: 'a', usage: counts(9, 1) } })],
    counts(0, 0),
    expect.stringContaining('absent'),
  ],
  [
    'figures by model below what is known are no figures',
    'new',
    [whole('a', 500, 7)],
    counts(500, 1),
    expect.stringContaining('absent'),
  ],
  [
    'agents below the main one are only counted by model',
    'new',
    [{ ...whole('c', 1, 1), parent_tool_use_id: 't' }, whole('a', 11, 7)],
    counts(11, 7),
    { input: 12, output: 8 },
  ],
] as const)('counts the result leaves out: %s', (_, mode, lines, usage, expected) => {
  start({ session: { id: requestOf('plain').session.id, mode } });
  const events = parse(...lines, result({ usage, modelUsage }));
  expect(usageOf(events)).toEqual(
    typeof expected === 'object' && 'input' in expected
      ? { ...expected, cacheRead: 0, cacheCreation: 0 }
      : expected,
  );
});

test('counts the result leaves out: a turn that has its own figures by model takes them, resumed or not', () => {
  start({ session: { id: requestOf('plain').session.id, mode: 'resume' } });
  const events = parse(
    whole('a', 11, 7),
    result({ usage: counts(0, 0), modelUsage: {}, model_usage_since_last_result: modelUsage }),
  );
  expect(usageOf(events)).toMatchObject({ input: 12, output: 8 });
});

test('absent counts stay absent', () => {
  start();
  expect(usageOf(parse(result({ usage: { output_tokens: 3 } })))).toEqual({ output: 3 });
  start();
  expect(parse(result({})).map((event) => event.tag)).toEqual(['turn-end']);
});

test('who pays: the sign-in without a key, never where requests go elsewhere', () => {
  const auth = (apiKeySource: unknown, config?: object) => {
    start({ bridge: undefined, config: config === undefined ? undefined : JSON.stringify(config) });
    const [event] = parse({ type: 'system', subtype: 'init', session_id: 's', apiKeySource });
    return event?.tag === 'session-started' ? event.val.auth : event;
  };
  expect(auth('none')).toBe('subscription');
  expect(auth('none', { base_url: 'https://gateway.test/v' })).toBe('unknown');
  expect(auth('ANTHROPIC_API_KEY')).toBe('api-key');
  expect(auth(undefined)).toBe('api-key');
});

test('retries: reason and number, as far as they are told', () => {
  start();
  const retries = parse(
    { type: 'system', subtype: 'api_retry', attempt: 2, error: 'rate_limit', error_status: 429 },
    { type: 'system', subtype: 'api_retry', attempt: 0, error: 'unknown', error_status: null },
    { type: 'system', subtype: 'api_retry', error_status: 500 },
    { type: 'system', subtype: 'api_retry' },
  );
  expect(retries.map((event) => event.val)).toEqual([
    { attempt: 2, reason: 'rate_limit (429)' },
    { attempt: 1, reason: 'unknown' },
    { attempt: 1, reason: 'HTTP 500' },
    { attempt: 1, reason: 'unknown' },
  ]);
});

test('windows of a subscription: all that are listed, completed by the one that decided, merged over time', () => {
  start();
  const info = (rate_limit_info: object) => ({ type: 'rate_limit_event', rate_limit_info });
  expect(parse(info({ status: 'allowed', isUsingOverage: false }))).toEqual([]);
  const [first] = parse(
    info({
      status: 'allowed_warning',
      rateLimitType: 'five_hour',
      resetsAt: 1_800_000_000,
      utilization: 0.9,
      unifiedWindows: {
        five_hour: { utilization: 0.91, resetsAt: 1_800_000_000 },
        seven_day: { utilization: 0.25, resetsAt: 1_800_500_000, status: 'allowed' },
      },
    }),
  );
  const fiveHour = { name: 'five-hour', used: 0.91, resetsAt: 1_800_000_000_000, windowMinutes: 300 };
  expect(first?.val).toEqual([
    { name: 'seven-day', used: 0.25, resetsAt: 1_800_500_000_000, windowMinutes: 10080, state: 'ok' },
    { ...fiveHour, state: 'warning' },
  ]);
  const [second] = parse(info({ status: 'rejected', rateLimitType: 'five_hour', utilization: 1.02 }));
  expect(second?.val).toEqual([{ ...fiveHour, used: 1, state: 'exhausted' }]);
  const [third] = parse(info({ status: 'allowed', rateLimitType: 'seven_day_opus' }));
  expect(third?.val).toEqual([{ name: 'seven-day-opus', windowMinutes: 10080, state: 'ok' }]);
});

test('after the end: suggestions and windows still come', () => {
  start();
  expect(
    parse(result({}), { type: 'prompt_suggestion', suggestion: 'And then?' }).map((event) => event.tag),
  ).toEqual(['turn-end', 'suggested-prompt']);
});

test('bookkeeping is silent, what a reader should know is a note without its content', () => {
  start();
  expect(
    parse(
      { type: 'system', subtype: 'status' },
      { type: 'control_response', response: { subtype: 'success' } },
      { type: 'tool_progress', elapsed: 3 },
    ),
  ).toEqual([]);
  expect(
    parse(
      { type: 'system', subtype: 'permission_denied', tool_input: 'canary' },
      { type: 'control_response', response: { subtype: 'error', error: 'no turn' } },
      { type: 'brand_new' },
    ),
  ).toEqual([
    { tag: 'note', val: 'Claude Code reports permission_denied' },
    { tag: 'note', val: 'Claude Code refused the interrupt: no turn' },
    { tag: 'note', val: 'unread line: {"type":"brand_new"}' },
  ]);
});
