import { isMurmurError } from '@murmur/errors';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TraceEvents } from './events.js';
import { openTrace, type TraceOptions } from './open-trace.js';
import { readTrace } from './read-trace.js';

const SESSION_START: TraceEvents['session_start'] = {
  capsule_name: 'greeter',
  capsule_version: '1.0.0',
  model: 'm',
  max_turns: 10,
  max_session_tokens: null,
  machine_tokens_per_day: null,
  capabilities: [],
  tools_declared: [],
  tool_refresh: null,
  runtime_artifacts: [],
  containment_declared: 'advisory',
  containment_achieved: 'advisory',
  userns_grant: null,
  workdir_exec: false,
  resumed_from: null,
  context_id: null,
  system_prompt_source: 'none',
  credential_source: 'none',
  gateways: [],
  system_prompt_sha256: null,
  effective_grants: {},
};
const SESSION_END: TraceEvents['session_end'] = {
  total_turns: 0,
  total_input_tokens: 0,
  total_output_tokens: 0,
  total_tool_calls: 0,
  total_shell_calls: 0,
  duration_ms: 1,
  exit_status: 'ok',
};

function inMemory(overrides: Partial<TraceOptions> = {}) {
  const lines: string[] = [];
  let count = 0;
  const trace = openTrace({
    sessionId: 'ses_1',
    append: async (batch) => {
      lines.push(...batch);
    },
    clock: () => 1_700_000_000_000 + count,
    mintEventId: () => {
      count += 1;
      return `evt_${String(count).padStart(32, '0')}`;
    },
    ...overrides,
  });
  return { trace, lines };
}

test('a line begins with the five keys in order, then the payload', async () => {
  const { trace, lines } = inMemory();
  const id = trace.write('session_start', null, SESSION_START);
  await trace.flush();
  const [line = ''] = lines;
  expect(line.endsWith('}\n')).toBe(true);
  const parsed = JSON.parse(line) as Record<string, unknown>;
  expect(Object.keys(parsed).slice(0, 6)).toEqual([
    'event_type',
    'event_id',
    'parent_id',
    'session_id',
    'timestamp',
    'capsule_name',
  ]);
  expect(parsed).toMatchObject({
    event_type: 'session_start',
    event_id: id,
    parent_id: null,
    session_id: 'ses_1',
  });
});

test('lines keep the order of the calls, one append at a time, those that waited together', async () => {
  const batches: (readonly string[])[] = [];
  const releases: (() => void)[] = [];
  const { trace } = inMemory({
    append: async (batch) => {
      await new Promise<void>((resolve) => releases.push(resolve));
      batches.push(batch);
    },
  });
  const root = trace.write('session_start', null, SESSION_START);
  while (releases.length === 0) await Promise.resolve();
  trace.write('harness_note', root, { text: 'one' });
  trace.write('harness_note', root, { text: 'two' });
  const flushed = trace.flush();
  while (batches.length < 2) {
    expect(releases.length).toBeLessThanOrEqual(1);
    releases.pop()?.();
    await Promise.resolve();
  }
  await flushed;
  expect(batches.map((batch) => batch.map((line) => (JSON.parse(line) as { text?: string }).text))).toEqual([
    [undefined],
    ['one', 'two'],
  ]);
});

test('a payload is written as it was at the call', async () => {
  const { trace, lines } = inMemory();
  const root = trace.write('session_start', null, SESSION_START);
  const payload = { text: 'before' };
  trace.write('harness_note', root, payload);
  payload.text = 'after';
  await trace.flush();
  expect(lines[1]).toContain('"before"');
});

test('what is not known is left out, and null is kept', async () => {
  const { trace, lines } = inMemory();
  const root = trace.write('session_start', null, SESSION_START);
  trace.write('inference', root, {
    turn: 0,
    task_id: null,
    decision: 'end_turn',
    tool_name: null,
    output_tokens: 3,
  });
  await trace.flush();
  expect(lines[1]).toContain(
    '"turn":0,"task_id":null,"decision":"end_turn","tool_name":null,"output_tokens":3}',
  );
});

describe('faults of the program are refused', () => {
  test.each([
    [
      'a parent that does not exist',
      (t: ReturnType<typeof inMemory>['trace']) => t.write('harness_note', 'evt_x', { text: '' }),
    ],
    ['no parent', (t: ReturnType<typeof inMemory>['trace']) => t.write('harness_note', null, { text: '' })],
    [
      'a second start',
      (t: ReturnType<typeof inMemory>['trace']) => t.write('session_start', null, SESSION_START),
    ],
    [
      'a payload that takes a key of the envelope',
      (t: ReturnType<typeof inMemory>['trace']) =>
        t.write('harness_note', `evt_${'1'.padStart(32, '0')}`, { text: '', session_id: 'ses_2' } as {
          text: string;
        }),
    ],
  ])('%s', (_name, act) => {
    const { trace } = inMemory();
    trace.write('session_start', null, SESSION_START);
    expect(() => act(trace)).toThrow(Error);
  });

  test('anything before the start', () => {
    expect(() => inMemory().trace.write('harness_note', null, { text: '' })).toThrow('no earlier line');
  });

  test('anything after the end', () => {
    const { trace } = inMemory();
    const root = trace.write('session_start', null, SESSION_START);
    trace.write('session_end', root, SESSION_END);
    expect(() => trace.write('harness_note', root, { text: '' })).toThrow('after session_end');
  });

  test('an id that was used before', () => {
    const { trace } = inMemory({ mintEventId: () => 'evt_same' });
    const root = trace.write('session_start', null, SESSION_START);
    expect(() => trace.write('harness_note', root, { text: '' })).toThrow('not fresh');
  });
});

test('a failed write surfaces as AgentLoopFailed from flush and from the next write, and nothing follows it', async () => {
  const attempts: (readonly string[])[] = [];
  const cause = new Error('no space left');
  const { trace } = inMemory({
    append: async (batch) => {
      attempts.push(batch);
      if (attempts.length === 2) throw cause;
    },
  });
  const root = trace.write('session_start', null, SESSION_START);
  await trace.flush();
  trace.write('harness_note', root, { text: 'lost' });
  while (attempts.length < 2) await Promise.resolve();
  trace.write('harness_note', root, { text: 'never tried' });
  const failure = await trace.flush().then(
    () => null,
    (error: unknown) => error,
  );
  expect(isMurmurError(failure) && failure.condition).toMatchObject({ variant: 'AgentLoopFailed' });
  expect(isMurmurError(failure) && failure.message).toContain('no space left');
  expect(isMurmurError(failure) && failure.cause).toBe(cause);
  expect(attempts).toHaveLength(2);
  expect(() => trace.write('harness_note', root, { text: 'later' })).toThrow(
    'the trace could not be written',
  );
});

describe('secrets', () => {
  test('are replaced in every text and nested key, asked for anew at each line', async () => {
    let secrets = ['first-key'];
    const { trace, lines } = inMemory({ secrets: () => secrets });
    const root = trace.write('session_start', null, {
      ...SESSION_START,
      effective_grants: { a: ['first-key'] },
    });
    secrets = ['second"key'];
    trace.write('tool_call', root, {
      turn: 0,
      task_id: null,
      tool_name: 't',
      tool_call_id: null,
      input: { 'k second"key': { deep: ['x second"key y'] } },
      input_bytes: 1,
      output_bytes: 0,
      duration_ms: 0,
      status: 'ok',
    });
    await trace.flush();
    expect(lines.join('')).not.toMatch(/first-key|second/);
    expect(lines[1]).toContain('"k [redacted]":{"deep":["x [redacted] y"]}');
  });

  test('are replaced before a long reason is cut', async () => {
    const secret = 'SECRETSECRET';
    const { trace, lines } = inMemory({ secrets: () => [secret] });
    const root = trace.write('session_start', null, SESSION_START);
    trace.write('task_failed', root, {
      cause: 'runtime_error',
      reason: `${'é'.repeat(997)}${secret} and more`,
    });
    await trace.flush();
    const { reason } = JSON.parse(lines[1] ?? '') as { reason: string };
    expect(reason).not.toContain('SEC');
    expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(2000);
  });
});

test('what is written can be read again, whatever the texts hold', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme' })), async (texts) => {
      const { trace, lines } = inMemory();
      const root = trace.write('session_start', null, SESSION_START);
      const ids = texts.map((text) => trace.write('harness_note', root, { text }));
      trace.write('session_end', root, SESSION_END);
      await trace.flush();
      const read = readTrace(lines.join(''), { path: 'trace.jsonl', complete: true });
      expect(read.slice(1, -1).map((line) => [line.event_id, line.text])).toEqual(
        ids.map((id, i) => [id, texts[i]]),
      );
    }),
  );
});
