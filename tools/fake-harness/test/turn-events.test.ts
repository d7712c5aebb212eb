import { afterAll, expect, test } from 'vitest';
import { close, event, started, startRun, text, turnEnd } from './support/host.js';

afterAll(close);

test('every event of the contract passes through a real component as it was meant', async () => {
  const run = await startRun(
    [
      started('own-id', 'api-key'),
      event('thinking-delta', 'hm'),
      event('thinking', 'hm'),
      event('text-delta', 'look'),
      text('looking'),
      event('tool-call-started', { id: 'c1', name: 'grep' }),
      event('tool-call-progress', { id: 'c1', inputBytes: 7 }),
      event('tool-call', { id: 'c1', name: 'grep', input: '{"q":1}' }),
      event('usage', { input: 10, output: 2, cacheRead: 0 }),
      event('tool-result', { id: 'c1', output: 'found', isError: false }),
      event('retry', { attempt: 1, reason: 'overloaded' }),
      event('quota', [
        { name: 'five-hour', used: 0.25, resetsAt: 1_800_000_000_000, windowMinutes: 300, state: 'ok' },
        { name: 'BAD' },
      ]),
      event('note', 'odd line'),
      text('four'),
      event('usage', { input: 25, output: 5, cacheRead: 3, thinking: 1 }),
      turnEnd('four'),
      event('quota', [{ name: 'seven-day', state: 'warning' }]),
      event('suggested-prompt', 'and five?'),
    ],
    { captureToolOutput: true },
  );
  expect(await run.outcome).toMatchObject({
    status: 'completed',
    result: 'four',
    turns: 2,
    inputTokens: 25,
    outputTokens: 5,
    toolCalls: 1,
    commitSessionId: 'own-id',
  });
  expect(run.records.slice(1).map(({ eventType, payload }) => [eventType, payload])).toEqual([
    ['harness_session', { harness_session_id: 'own-id', auth: 'api-key', model: null }],
    ['harness_warning', { code: 'W-SEC-031', message: expect.stringContaining("'api-key'") }],
    [
      'inference',
      {
        turn: 0,
        task_id: 'tsk_1',
        input_tokens: 10,
        output_tokens: 2,
        decision: 'tool_call',
        tool_name: 'grep',
        cached_tokens: 0,
      },
    ],
    [
      'tool_call',
      {
        turn: 0,
        task_id: 'tsk_1',
        tool_name: 'grep',
        tool_call_id: 'c1',
        input: { q: 1 },
        input_bytes: 7,
        output: 'found',
        output_bytes: 5,
        duration_ms: 0,
        status: 'ok',
      },
    ],
    ['harness_retry', { attempt: 1, reason: 'overloaded' }],
    ['harness_note', { text: expect.stringContaining('BAD') }],
    [
      'harness_quota',
      {
        windows: [
          { name: 'five-hour', used: 0.25, resets_at: 1_800_000_000_000, window_minutes: 300, state: 'ok' },
        ],
      },
    ],
    ['harness_note', { text: 'odd line' }],
    [
      'inference',
      {
        turn: 1,
        task_id: 'tsk_1',
        input_tokens: 15,
        output_tokens: 3,
        decision: 'end_turn',
        tool_name: null,
        cached_tokens: 3,
        thinking_tokens: 1,
      },
    ],
    [
      'harness_quota',
      {
        windows: [
          { name: 'five-hour', used: 0.25, resets_at: 1_800_000_000_000, window_minutes: 300, state: 'ok' },
          { name: 'seven-day', state: 'warning' },
        ],
      },
    ],
    ['harness_suggested_prompt', { text: 'and five?' }],
    ['harness_exit', { code: 0, signal: null, cause: 'terminal', killed: false, duration_ms: 0 }],
  ]);
  expect(run.warnings).toEqual([{ code: 'W-SEC-031', auth: 'api-key' }]);
  expect(run.frames.map(({ kind, data }) => (kind === 'text' ? `text ${data.text}` : kind))).toEqual([
    'status',
    'thinking',
    'text look',
    'text ',
    'tool-call-started',
    'tool-call-progress',
    'artifact',
    'quota',
    'status',
    'text four',
    'quota',
    'suggested-prompt',
  ]);
  expect(run.frames.every(({ data }) => data.id === 'tsk_1')).toBe(true);
});

test('usage that repeats, shrinks or misses members is charged once', async () => {
  const call = (id: string) => [
    event('tool-call', { id, name: 'grep', input: '{}' }),
    event('tool-result', { id, output: '', isError: false }),
  ];
  const run = await startRun([
    event('usage', { input: 100, output: 10 }),
    event('usage', { input: 100, output: 10 }),
    ...call('a'),
    event('usage', { output: 4, cacheCreation: 8 }),
    ...call('b'),
    event('usage', { input: 90 }),
    ...call('c'),
    event('usage', { input: 130, output: 12 }),
    turnEnd(),
  ]);
  const outcome = await run.outcome;
  expect(
    run
      .of('inference')
      .map((turn) => [turn.input_tokens, turn.output_tokens, turn.cache_write_tokens, turn.thinking_tokens]),
  ).toEqual([
    [100, 10, undefined, undefined],
    [0, 0, 8, undefined],
    [0, 0, 0, undefined],
    [30, 2, 0, undefined],
  ]);
  expect([outcome.inputTokens, outcome.outputTokens]).toEqual([130, 12]);
});
