import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DriverEvent } from './contract.js';
import { createQuotaWindows } from './quota.js';
import { createTurnState, type TurnState, type Verdict } from './turn-state.js';
import type { StreamFrame, TurnRecord } from './types.js';

interface Seen {
  readonly state: TurnState;
  readonly records: TurnRecord[];
  readonly frames: StreamFrame[];
  readonly warnings: unknown[];
  play(...events: DriverEvent[]): Verdict[];
  at(now: number): Seen;
  recordsOf(type: string): readonly TurnRecord['payload'][];
  framesOf(kind: string): readonly StreamFrame['data'][];
}

function fresh(options: { maxTurns?: number; firstTurn?: number; captureToolOutput?: boolean } = {}): Seen {
  const records: TurnRecord[] = [];
  const frames: StreamFrame[] = [];
  const warnings: unknown[] = [];
  let now = 0;
  const state = createTurnState({
    taskId: 'tsk_1',
    firstTurn: options.firstTurn ?? 0,
    maxTurns: options.maxTurns ?? 10,
    captureToolOutput: options.captureToolOutput ?? false,
    quota: createQuotaWindows(),
    report: { record: (r) => records.push(r), stream: (f) => frames.push(f), warn: (w) => warnings.push(w) },
  });
  const seen: Seen = {
    state,
    records,
    frames,
    warnings,
    play: (...events) => events.map((event) => state.consume(event, now)),
    at(time) {
      now = time;
      return seen;
    },
    recordsOf: (type) => records.filter((r) => r.eventType === type).map((r) => r.payload),
    framesOf: (kind) => frames.filter((f) => f.kind === kind).map((f) => f.data),
  };
  return seen;
}

const text = (value: string): DriverEvent => ({ tag: 'text', text: value });
const delta = (value: string): DriverEvent => ({ tag: 'text-delta', text: value });
const call = (id: string, name = 'grep', input = '{"a":1}'): DriverEvent => ({
  tag: 'tool-call',
  id,
  name,
  input,
});
const result = (id: string, output = 'out', isError = false): DriverEvent => ({
  tag: 'tool-result',
  id,
  output,
  isError,
});
const end = (value = 'done'): DriverEvent => ({ tag: 'turn-end', result: value });
const failed = (message = 'broken'): DriverEvent => ({ tag: 'turn-failed', kind: 'harness-error', message });
const usage = (input: number, output: number): DriverEvent => ({ tag: 'usage', usage: { input, output } });

describe('each event', () => {
  test('session-started is recorded, its id remembered, another billing warned about once', () => {
    const seen = fresh();
    const started = { tag: 'session-started', id: 'abc', auth: 'api-key', model: null } as const;
    seen.play(started, started, { ...started, auth: 'subscription', model: 'm\u001b[31m' });
    expect(seen.recordsOf('harness_session')).toEqual([
      { harness_session_id: 'abc', auth: 'api-key', model: null },
      { harness_session_id: 'abc', auth: 'api-key', model: null },
      { harness_session_id: 'abc', auth: 'subscription', model: 'm' },
    ]);
    expect(seen.warnings).toEqual([{ code: 'W-SEC-031', auth: 'api-key' }]);
    expect(seen.state.sessionId).toBe('abc');
    expect(seen.state.produced).toBe(false);
    seen.play({ ...started, id: '' });
    expect(seen.state.sessionId).toBe('abc');
    expect(seen.frames).toEqual([]);
  });

  test('text-delta streams and opens a segment but no turn', () => {
    const seen = fresh();
    seen.play(delta('he'), delta('llo'));
    expect(seen.frames).toEqual([
      {
        kind: 'status',
        data: { id: 'tsk_1', status: { state: 'working', message: 'inference turn 1' }, final: false },
      },
      { kind: 'text', data: { id: 'tsk_1', text: 'he', final: false } },
      { kind: 'text', data: { id: 'tsk_1', text: 'llo', final: false } },
    ]);
    expect(seen.state.turns).toBe(0);
    expect(seen.state.produced).toBe(true);
    expect(seen.state.lastWords).toBe('hello');
  });

  test('text ends what was streamed, once, and sends nothing of its own', () => {
    const seen = fresh();
    seen.play(delta('he'), text('hello'), text('hello you'));
    expect(seen.framesOf('text').map((f) => [f.text, f.final])).toEqual([
      ['he', false],
      ['', true],
    ]);
    expect(seen.state.turns).toBe(1);
    expect(seen.state.lastWords).toBe('hello you');
    expect(fresh().play(text('x'))).toEqual(['continue']);
  });

  test('thinking is sent whole only where no part of it was streamed', () => {
    const seen = fresh();
    seen.play({ tag: 'thinking-delta', text: 'a' }, { tag: 'thinking', text: 'ab' });
    expect(seen.framesOf('thinking').map((f) => f.text)).toEqual(['a']);
    const whole = fresh();
    whole.play({ tag: 'thinking', text: 'ab' });
    expect(whole.framesOf('thinking').map((f) => f.text)).toEqual(['ab']);
    expect(whole.state.turns).toBe(0);
    expect(whole.records).toEqual([]);
  });

  test('tool-call-started is told once per id, and not of a call that is complete', () => {
    const seen = fresh();
    const start = (id: string): DriverEvent => ({ tag: 'tool-call-started', id, name: 'grep' });
    seen.play(start('a'), start('a'), start(''), call('b'), start('b'));
    expect(seen.framesOf('tool-call-started')).toEqual([
      { id: 'tsk_1', tool_call_id: 'a', tool_name: 'grep' },
    ]);
  });

  test('tool-call-progress comes at once, then no closer than 250 ms, and the held one before its call', () => {
    const seen = fresh();
    const progress = (bytes: number, id = 'a'): DriverEvent => ({
      tag: 'tool-call-progress',
      id,
      inputBytes: bytes,
    });
    seen.play({ tag: 'tool-call-started', id: 'a', name: 'grep' });
    seen.at(0).play(progress(10), progress(10), progress(5), progress(7, 'unknown'));
    seen.at(249).play(progress(20));
    seen.at(250).play(progress(30));
    seen.at(260).play(progress(40));
    expect(seen.framesOf('tool-call-progress').map((f) => f.input_bytes)).toEqual([10, 30]);
    seen.play(call('a'), progress(50));
    expect(seen.framesOf('tool-call-progress').map((f) => f.input_bytes)).toEqual([10, 30, 40]);
    expect(seen.frames.some((f) => JSON.stringify(f).includes('"a":1'))).toBe(false);
  });

  test('tool-call and tool-result make one record, one artifact, and close the turn first', () => {
    const seen = fresh({ captureToolOutput: true });
    seen.at(100).play(text('looking'), call('a', 'grep', '{"q":"é"}'), call('b', 'find', 'not json'));
    expect(seen.records).toEqual([]);
    seen.at(350).play(usage(7, 3), result('a', 'ü', false), result('b', 'no', true));
    expect(seen.records).toEqual([
      {
        eventType: 'inference',
        payload: {
          turn: 0,
          task_id: 'tsk_1',
          input_tokens: 7,
          output_tokens: 3,
          decision: 'tool_call',
          tool_name: 'grep',
        },
      },
      {
        eventType: 'tool_call',
        payload: {
          turn: 0,
          task_id: 'tsk_1',
          tool_name: 'grep',
          tool_call_id: 'a',
          input: { q: 'é' },
          input_bytes: 10,
          output: 'ü',
          output_bytes: 2,
          duration_ms: 250,
          status: 'ok',
        },
      },
      {
        eventType: 'tool_call',
        payload: {
          turn: 0,
          task_id: 'tsk_1',
          tool_name: 'find',
          tool_call_id: 'b',
          input: null,
          input_bytes: 8,
          output: 'no',
          output_bytes: 2,
          duration_ms: 250,
          status: 'error',
        },
      },
    ]);
    expect(seen.framesOf('artifact')[0]).toEqual({
      id: 'tsk_1',
      artifact: {
        tool_name: 'grep',
        content: 'ü',
        fence_source: null,
        tool_call_id: 'a',
        is_error: false,
        duration_ms: 250,
        exit_code: null,
        truncated: false,
      },
    });
    expect(seen.state.toolCalls).toBe(2);
  });

  test('output is kept out of the trace unless it is captured', () => {
    const seen = fresh();
    seen.play(call('a'), result('a', 'secret'));
    expect(seen.recordsOf('tool_call')[0]).not.toHaveProperty('output');
  });

  test('a result nobody asked for is a note and closes nothing', () => {
    const seen = fresh();
    seen.play(text('a'), result('ghost'));
    expect(seen.records.map((r) => r.eventType)).toEqual(['harness_note']);
    expect(seen.state.toolCalls).toBe(0);
  });

  test('a streamed text is ended before the artifact that follows it', () => {
    const seen = fresh();
    seen.play(call('a'), delta('wait'), result('a'));
    expect(seen.frames.slice(-3).map((f) => f.kind)).toEqual(['text', 'text', 'artifact']);
    expect(seen.framesOf('text').at(-1)).toMatchObject({ text: '', final: true });
  });

  test.each([
    [
      'retry',
      { tag: 'retry', attempt: 2, reason: 'over\u0007load' },
      'harness_retry',
      { attempt: 2, reason: 'overload' },
    ],
    ['note', { tag: 'note', text: 'odd\u001b[2Jline' }, 'harness_note', { text: 'oddline' }],
    [
      'suggested-prompt',
      { tag: 'suggested-prompt', text: 'next?' },
      'harness_suggested_prompt',
      { text: 'next?' },
    ],
    [
      'quota',
      { tag: 'quota', windows: [{ name: 'day', used: 0 }] },
      'harness_quota',
      { windows: [{ name: 'day', used: 0 }] },
    ],
  ] as const)('%s is recorded and produces nothing', (_name, event, type, payload) => {
    const seen = fresh();
    expect(seen.play(event)).toEqual(['continue']);
    expect(seen.records).toEqual([{ eventType: type, payload }]);
    expect(seen.state.produced).toBe(false);
    expect(seen.state.turns).toBe(0);
  });

  test('a quota report without an acceptable window changes nothing but a note', () => {
    const seen = fresh();
    seen.play({ tag: 'quota', windows: [{ name: 'BAD' }] }, { tag: 'quota', windows: [] });
    expect(seen.records.map((r) => r.eventType)).toEqual(['harness_note']);
    expect(seen.frames).toEqual([]);
  });

  test('a quota record holds every window that stands, absent members absent', () => {
    const seen = fresh();
    seen.play(
      { tag: 'quota', windows: [{ name: 'a', state: 'ok' }] },
      { tag: 'quota', windows: [{ name: 'b', resetsAt: 5 }] },
    );
    const windows = [
      { name: 'a', state: 'ok' },
      { name: 'b', resets_at: 5 },
    ];
    expect(seen.recordsOf('harness_quota')[1]).toEqual({ windows });
    expect(seen.framesOf('quota')[1]).toEqual({ id: 'tsk_1', windows });
  });

  test('turn-end closes the turn and sends the answer where none was streamed', () => {
    const seen = fresh();
    expect(seen.play(text('four'), usage(5, 1), end('four'))).toEqual(['continue', 'continue', 'ended']);
    expect(seen.recordsOf('inference')).toMatchObject([
      { turn: 0, decision: 'end_turn', tool_name: null, output_tokens: 1 },
    ]);
    expect(seen.framesOf('text').map((f) => [f.text, f.final])).toEqual([['four', true]]);
    expect(seen.state.terminal).toEqual({ tag: 'turn-end', result: 'four' });
  });

  test.each([
    [
      'streamed',
      [delta('fo'), text('four'), end('four')],
      [
        ['fo', false],
        ['', true],
      ],
    ],
    [
      'streamed and cut',
      [delta('fo'), end('four')],
      [
        ['fo', false],
        ['', true],
      ],
    ],
    ['empty', [end('')], []],
    [
      'streamed in an earlier segment only',
      [delta('a'), call('x'), result('x'), text('four'), end('four')],
      [
        ['a', false],
        ['', true],
        ['four', true],
      ],
    ],
  ] as const)('the final answer when it was %s', (_name, events, frames) => {
    const seen = fresh();
    seen.play(...events);
    expect(seen.framesOf('text').map((f) => [f.text, f.final])).toEqual(frames);
    expect(seen.state.produced).toBe(true);
  });

  test('an interrupted run keeps its last words and sends no final answer', () => {
    const seen = fresh();
    seen.state.markInterrupted();
    seen.play(end('half'));
    expect(seen.framesOf('text')).toEqual([]);
    expect(seen.state.terminal).toEqual({ tag: 'turn-end', result: 'half' });
  });

  test('turn-failed closes the turn, ends the text and is recorded as the harness’s', () => {
    const seen = fresh();
    expect(seen.play(text('a'), delta('b'), failed('no\u0000pe'))).toEqual(['continue', 'continue', 'ended']);
    expect(seen.records.map((r) => r.eventType)).toEqual(['inference', 'harness_failed']);
    expect(seen.recordsOf('harness_failed')).toEqual([
      { kind: 'harness-error', message: 'nope', source: 'harness' },
    ]);
    expect(seen.framesOf('text').at(-1)).toMatchObject({ text: '', final: true });
    expect(seen.state.lastWords).toBe('b');
  });

  test('a turn-failed alone produced nothing', () => {
    const seen = fresh();
    seen.play(failed());
    expect(seen.state.produced).toBe(false);
    expect(seen.recordsOf('inference')).toEqual([]);
  });
});

describe('work that its session would hold', () => {
  test.each<[DriverEvent, boolean]>([
    [text('a'), true],
    [delta('a'), true],
    [{ tag: 'thinking', text: 'a' }, true],
    [{ tag: 'thinking-delta', text: 'a' }, true],
    [call('a'), true],
    [end(''), true],
    [{ tag: 'session-started', id: 'a', auth: 'subscription', model: null }, false],
    [{ tag: 'retry', attempt: 1, reason: '' }, false],
    [{ tag: 'note', text: '' }, false],
    [result('a'), false],
    [failed(), false],
    [usage(1, 1), false],
    [{ tag: 'quota', windows: [{ name: 'a' }] }, false],
    [{ tag: 'suggested-prompt', text: 'a' }, false],
    [{ tag: 'tool-call-started', id: 'a', name: 'b' }, false],
    [{ tag: 'tool-call-progress', id: 'a', inputBytes: 1 }, false],
  ])('%j: %s', (event, produced) => {
    const seen = fresh();
    seen.play(event);
    expect(seen.state.produced).toBe(produced);
  });
});

describe('the turn budget', () => {
  test('one turn more is recorded as ours and opens nothing', () => {
    const seen = fresh({ maxTurns: 1 });
    expect(seen.play(text('a'), call('x'), result('x'), text('b'))).toEqual([
      'continue',
      'continue',
      'continue',
      'over-budget',
    ]);
    expect(seen.recordsOf('harness_failed')).toMatchObject([{ kind: 'max-turns', source: 'runtime' }]);
    expect(seen.state.turns).toBe(1);
    expect(fresh({ maxTurns: 0 }).play(call('x'))).toEqual(['over-budget']);
  });

  test('many texts and parallel calls are one turn', () => {
    const seen = fresh({ maxTurns: 1 });
    expect(
      seen.play(text('a'), text('b'), call('x'), call('y'), text('c'), result('x'), result('y'), end()),
    ).not.toContain('over-budget');
    expect(seen.state.turns).toBe(1);
  });

  test('turns of an earlier attempt count on', () => {
    const seen = fresh({ firstTurn: 3 });
    seen.play(text('a'), end());
    expect(seen.recordsOf('inference')).toMatchObject([{ turn: 3 }]);
    expect(seen.framesOf('status')).toMatchObject([{ status: { message: 'inference turn 4' } }]);
  });
});

describe('usage', () => {
  test('is charged to the turn that closes next, and what nobody closed for gets a turn of its own', () => {
    const seen = fresh();
    seen.play(usage(10, 1), text('a'), call('x'), result('x'), usage(30, 2), end());
    expect(seen.recordsOf('inference')).toMatchObject([
      { turn: 0, input_tokens: 10, output_tokens: 1, decision: 'tool_call' },
      { turn: 1, input_tokens: 20, output_tokens: 1, decision: 'end_turn', tool_name: null },
    ]);
    expect([seen.state.inputTokens, seen.state.outputTokens]).toEqual([30, 2]);
  });

  test('cache and thinking keep their own names; what was never reported is absent', () => {
    const seen = fresh();
    seen.play(
      text('a'),
      { tag: 'usage', usage: { output: 4, cacheRead: 0, cacheCreation: 2, thinking: 1 } },
      end(),
    );
    expect(seen.recordsOf('inference')[0]).toEqual({
      turn: 0,
      task_id: 'tsk_1',
      output_tokens: 4,
      decision: 'end_turn',
      tool_name: null,
      cached_tokens: 0,
      cache_write_tokens: 2,
      thinking_tokens: 1,
    });
  });
});

describe('after the end', () => {
  test('only quota, suggestions and notes are taken; anything else is a note and changes nothing', () => {
    const seen = fresh();
    seen.play(end('first'));
    const before = [seen.state.turns, seen.state.inputTokens, seen.state.sessionId];
    seen.records.length = 0;
    const late: DriverEvent[] = [
      end('second'),
      failed(),
      text('x'),
      delta('y'),
      call('z'),
      result('z'),
      usage(9, 9),
      { tag: 'session-started', id: 'late', auth: 'x', model: null },
    ];
    expect(seen.play(...late)).toEqual(late.map(() => 'continue'));
    expect(seen.records.map((r) => r.eventType)).toEqual(late.map(() => 'harness_note'));
    expect(seen.state.terminal).toEqual({ tag: 'turn-end', result: 'first' });
    expect([seen.state.turns, seen.state.inputTokens, seen.state.sessionId]).toEqual(before);
    expect(seen.warnings).toEqual([]);
    seen.records.length = 0;
    seen.play(
      { tag: 'quota', windows: [{ name: 'a' }] },
      { tag: 'suggested-prompt', text: 'b' },
      { tag: 'note', text: 'c' },
    );
    expect(seen.records.map((r) => r.eventType)).toEqual([
      'harness_quota',
      'harness_suggested_prompt',
      'harness_note',
    ]);
  });
});

test('calls without a result are noted in the order of their ids', () => {
  const seen = fresh();
  seen.play(call('b'), call('a'), call('c'), result('c'));
  seen.records.length = 0;
  seen.state.noteUnanswered();
  expect(seen.records.map((r) => r.payload.text)).toEqual([
    expect.stringContaining("'a'"),
    expect.stringContaining("'b'"),
  ]);
});

test('a run that stops without an end still records what it spent and ends its text', () => {
  const seen = fresh();
  seen.play(text('a'), usage(3, 4), delta('b'));
  seen.state.closeAbruptly();
  expect(seen.recordsOf('inference')).toMatchObject([{ input_tokens: 3, output_tokens: 4 }]);
  expect(seen.framesOf('text').at(-1)).toMatchObject({ text: '', final: true });
  expect(seen.state.lastWords).toBe('b');
});

const anyEvent: fc.Arbitrary<DriverEvent> = fc.oneof(
  fc.record({
    tag: fc.constantFrom('text', 'text-delta', 'thinking', 'thinking-delta', 'note', 'suggested-prompt'),
    text: fc.string({ maxLength: 4 }),
  }) as fc.Arbitrary<DriverEvent>,
  fc.constantFrom('a', 'b', 'c').map((id) => call(id)),
  fc.constantFrom('a', 'b', 'c').map((id) => result(id)),
  fc.tuple(fc.nat(50), fc.nat(50)).map(([i, o]) => usage(i, o)),
  fc.constantFrom<DriverEvent>(
    { tag: 'tool-call-started', id: 'a', name: 'n' },
    { tag: 'tool-call-progress', id: 'a', inputBytes: 3 },
  ),
);

test('any run of events keeps the books: numbered turns, sums, ended texts, no work after the end', () => {
  fc.assert(
    fc.property(
      fc.array(anyEvent, { maxLength: 60 }),
      fc.option(fc.constantFrom(end('e'), failed())),
      fc.array(anyEvent, { maxLength: 5 }),
      fc.integer({ min: 0, max: 4 }),
      (events, last, late, maxTurns) => {
        const seen = fresh({ maxTurns });
        const stopped = events.some((event) => seen.play(event)[0] === 'over-budget');
        if (!stopped && last !== null) seen.play(last, ...late);
        else if (!stopped) seen.state.closeAbruptly();
        const turns = seen.recordsOf('inference');
        expect(turns.map((t) => t.turn)).toEqual(turns.map((_, index) => index));
        expect(seen.state.turns).toBeLessThanOrEqual(maxTurns + 1);
        const sum = (key: string): number => turns.reduce((total, t) => total + Number(t[key] ?? 0), 0);
        expect([sum('input_tokens'), sum('output_tokens')]).toEqual([
          seen.state.inputTokens,
          seen.state.outputTokens,
        ]);
        expect(seen.recordsOf('tool_call')).toHaveLength(seen.state.toolCalls);
        expect(seen.framesOf('artifact')).toHaveLength(seen.state.toolCalls);
        let growing = false;
        for (const { kind, data } of seen.frames) {
          if (kind === 'artifact') expect(growing).toBe(false);
          if (kind === 'text') growing = data.final === false;
        }
        expect(growing).toBe(false);
        if (stopped) expect(seen.recordsOf('harness_failed')).toHaveLength(1);
      },
    ),
    { numRuns: 1500 },
  );
});

test('what is kept of a run does not grow with it', () => {
  const seen = fresh();
  for (let i = 0; i < 20_000; i++) {
    seen.play(
      { tag: 'tool-call-started', id: `s${i}`, name: 'n' },
      call(`c${i}`, 'n', 'x'.repeat(50_000)),
      delta('y'.repeat(100)),
    );
    seen.frames.length = 0;
    seen.records.length = 0;
  }
  seen.records.length = 0;
  seen.state.noteUnanswered();
  expect(seen.records.length).toBeLessThanOrEqual(4096);
  expect(seen.state.lastWords?.length).toBeLessThanOrEqual(256 * 1024);
});
