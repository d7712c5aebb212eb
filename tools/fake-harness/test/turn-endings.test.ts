import { readFileSync } from 'node:fs';
import { MurmurError } from '@murmur/errors';
import { afterAll, describe, expect, test } from 'vitest';
import { createFakeClock } from './support/fake-clock.js';
import { close, event, hang, started, startRun, text, turnEnd, turnFailed } from './support/host.js';

afterAll(close);
const note = (value: string) => event('note', value);

describe('a terminal event', () => {
  test('turn-end completes with its answer and the session the harness named', async () => {
    const run = await startRun([started('own-id'), text('four'), turnEnd('four')]);
    expect(await run.outcome).toEqual({
      status: 'completed',
      result: 'four',
      error: null,
      killed: false,
      commitSessionId: 'own-id',
      turns: 1,
      inputTokens: 0,
      outputTokens: 0,
      toolCalls: 0,
    });
    expect(run.order).toEqual(['harness_start', 'harness_session', 'inference', 'harness_exit']);
    expect(run.of('harness_exit')).toMatchObject([
      { code: 0, signal: null, cause: 'terminal', killed: false },
    ]);
  });

  test('an empty answer is an answer', async () => {
    const run = await startRun([turnEnd('')]);
    expect(await run.outcome).toMatchObject({
      status: 'completed',
      result: '',
      commitSessionId: 'offered-id',
    });
  });

  test.each(['auth', 'quota', 'max-turns', 'canceled', 'harness-error', 'other'])(
    'turn-failed %s',
    async (kind) => {
      const run = await startRun([started('own-id'), turnFailed(kind, 'it broke'), { exit: 1 }]);
      expect(await run.outcome).toMatchObject({
        status: 'failed',
        result: null,
        error: { variant: 'HarnessTurnFailed', kind, message: 'it broke', origin: 'harness' },
        commitSessionId: null,
      });
      expect(run.of('harness_failed')).toEqual([{ kind, message: 'it broke', source: 'harness' }]);
      expect(run.of('harness_exit')).toMatchObject([{ code: 1, cause: 'terminal', killed: false }]);
    },
  );

  test('closes stdin, waits 3 s for the exit, then kills; what is said meanwhile is still heard', async () => {
    const run = await startRun(
      [turnEnd('x'), { read_all: true }, event('suggested-prompt', 'and now?'), turnFailed('other'), hang],
      { config: { keep_stdin_open: true }, straggler: true },
    );
    await run.recorded('harness_note');
    await run.clock.whenTimer(3000);
    run.clock.advance(2999);
    expect(run.of('harness_exit')).toEqual([]);
    run.clock.advance(1);
    expect(await run.outcome).toMatchObject({ status: 'completed', result: 'x', killed: false });
    expect(run.of('harness_exit')).toMatchObject([
      { cause: 'terminal', killed: true, signal: 9, code: null },
    ]);
    expect(run.of('harness_suggested_prompt')).toEqual([{ text: 'and now?' }]);
    expect(run.of('harness_failed')).toEqual([]);
  });

  test('a driver that fails on late lines changes nothing', async () => {
    // It waits for its input to be closed, so that the line comes in a batch after the terminal event's.
    const run = await startRun([turnEnd('x'), { read_all: true }, { print: { driver: 'trap' } }], {
      config: { keep_stdin_open: true },
    });
    expect(await run.outcome).toMatchObject({ status: 'completed', result: 'x' });
    expect(run.of('harness_note')).toHaveLength(1);
  });
});

describe('the end of the output without a terminal event', () => {
  test('the driver says what it was: a failure', async () => {
    const run = await startRun([started('s'), text('a'), { stderr: 'fatal: no more\n' }, { exit: 7 }]);
    const outcome = await run.outcome;
    expect(outcome).toMatchObject({
      status: 'failed',
      error: { variant: 'HarnessTurnFailed', origin: 'harness' },
    });
    expect(JSON.stringify(outcome.error)).toContain('fatal: no more');
    expect(run.order).toEqual([
      'harness_start',
      'harness_session',
      'harness_exit',
      'inference',
      'harness_failed',
    ]);
    expect(run.of('harness_exit')).toMatchObject([{ code: 7, cause: 'eof', killed: false }]);
    expect(outcome.commitSessionId).toBe('s');
  });

  test('or a success, where its driver says so', async () => {
    const run = await startRun([text('a')], { config: { classify_exit: { tag: 'turn-end', val: 'a' } } });
    expect(await run.outcome).toMatchObject({ status: 'completed', result: 'a', turns: 1 });
  });

  test('exit 0 is no success by itself', async () => {
    const run = await startRun([
      text('half an ans'),
      { print_raw: '{"event":{"tag":"turn-end","val":"x"}}' },
    ]);
    expect(await run.outcome).toMatchObject({ status: 'failed', result: null });
  });

  test('a signal reaches the driver as a signal', async () => {
    const run = await startRun([{ kill_self: 'SIGTERM' }]);
    expect(JSON.stringify((await run.outcome).error)).toMatch(/signal/);
    expect(run.of('harness_exit')).toMatchObject([{ code: null, signal: 15, cause: 'eof', killed: false }]);
  });

  test('closed output and no exit: 3 s, then killed', async () => {
    const run = await startRun([{ close_output: true }, hang], { straggler: false });
    await run.clock.whenTimer(3000);
    run.clock.advance(3000);
    expect(await run.outcome).toMatchObject({ status: 'failed' });
    expect(run.of('harness_exit')).toMatchObject([{ cause: 'eof', killed: true, signal: 9 }]);
  });

  test.each([
    ['text', { tag: 'text', val: 'x' }],
    ['note', { tag: 'note', val: 'x' }],
  ])('an answer that ends nothing (%s) is the driver’s failure', async (_name, answer) => {
    const run = await startRun([text('a')], { config: { classify_exit: answer } });
    expect((await run.outcome).error).toMatchObject({
      variant: 'ProcessDriverCallFailed',
      call: 'classify-exit',
    });
    expect(run.of('harness_exit')).toMatchObject([{ cause: 'eof' }]);
    expect(run.of('inference')).toHaveLength(1);
  });

  test('is asked with what is true', async () => {
    const asked: unknown[] = [];
    const run = await startRun([{ stderr: 'why\n' }, { exit: 3 }], {
      instance: (inner) => ({
        ...inner,
        classifyExit: (exit) => {
          asked.push(exit);
          return inner.classifyExit(exit);
        },
      }),
    });
    await run.outcome;
    expect(asked).toEqual([
      { code: 3, signal: null, stderrTail: 'why\n', interrupted: false, sawTerminal: false },
    ]);
  });
});

test('the turn budget: killed at once, as our own failure', async () => {
  const call = (id: string) => [
    event('tool-call', { id, name: 'grep', input: '{}' }),
    event('tool-result', { id, output: '', isError: false }),
  ];
  const run = await startRun([...call('a'), ...call('b'), text('one more'), turnEnd('never'), hang], {
    maxTurns: 2,
    straggler: true,
  });
  expect(await run.outcome).toMatchObject({
    status: 'failed',
    error: { variant: 'HarnessTurnFailed', kind: 'max-turns', origin: 'runtime' },
    turns: 2,
    toolCalls: 2,
    commitSessionId: 'offered-id',
  });
  expect(run.of('harness_failed')).toMatchObject([{ kind: 'max-turns', source: 'runtime' }]);
  expect(run.of('harness_exit')).toMatchObject([{ cause: 'max_turns', killed: true }]);
  expect(run.order.at(-1)).toBe('harness_exit');
});

describe('silence', () => {
  test('of 600 s from the start ends a harness that never spoke', async () => {
    const run = await startRun([hang], { straggler: true });
    await run.clock.whenTimer(600_000);
    run.clock.advance(599_999);
    expect(run.of('harness_exit')).toEqual([]);
    run.clock.advance(1);
    expect(await run.outcome).toMatchObject({
      status: 'failed',
      error: { variant: 'ProcessHarnessInactive', seconds: 600 },
      commitSessionId: null,
    });
    expect(run.of('harness_exit')).toMatchObject([
      { cause: 'inactivity', killed: true, duration_ms: 600_000 },
    ]);
  });

  test('is counted from the last line of stdout', async () => {
    const run = await startRun([
      note('1'),
      { on_signal: 'SIGUSR2', steps: [note('2')] },
      note('ready'),
      hang,
    ]);
    await run.recorded('harness_note', { text: 'ready' });
    await run.clock.whenTimer(600_000);
    run.clock.advance(400_000);
    process.kill(run.snapshot().pid, 'SIGUSR2');
    await run.recorded('harness_note', { text: '2' });
    run.clock.advance(200_000);
    await run.clock.whenTimer(400_000);
    expect(run.of('harness_exit')).toEqual([]);
    run.clock.advance(400_000);
    expect(await run.outcome).toMatchObject({ error: { variant: 'ProcessHarnessInactive' } });
    expect(run.of('harness_exit')).toMatchObject([{ duration_ms: 1_000_000 }]);
  });

  test('is not what a machine that slept or a clock that was set looks like', async () => {
    const steady = createFakeClock();
    let wall = 0;
    const clock = { ...steady, now: () => wall, monotonic: steady.now };
    const run = await startRun(
      [{ on_signal: 'SIGUSR2', steps: [note('awake'), turnEnd('x')] }, note('ready'), hang],
      { clock },
    );
    await run.recorded('harness_note', { text: 'ready' });
    await steady.whenTimer(600_000);
    wall = 100_000_000;
    steady.advance(500_000);
    process.kill(run.snapshot().pid, 'SIGUSR2');
    await run.recorded('harness_note', { text: 'awake' });
    await steady.whenTimer(3000);
    steady.advance(3000);
    expect(await run.outcome).toMatchObject({ status: 'completed', result: 'x' });
    expect(run.of('harness_exit')).toMatchObject([{ duration_ms: 503_000 }]);
  });

  test('is not broken by stderr; a line without its end is no line', async () => {
    const run = await startRun([note('ready'), { stderr: 'busy\n' }, { print_raw: 'half a line' }, hang]);
    await run.recorded('harness_note', { text: 'ready' });
    await run.clock.whenTimer(600_000);
    run.clock.advance(600_000);
    expect(await run.outcome).toMatchObject({ error: { variant: 'ProcessHarnessInactive' } });
  });
});

describe('a driver that fails', () => {
  test.each(['trap', 'throw', 'balloon'])('in parse (%s) ends the run at once', async (fault) => {
    const run = await startRun([text('a'), { print: { driver: fault } }, hang], { straggler: true });
    expect(await run.outcome).toMatchObject({
      status: 'failed',
      error: { variant: 'ProcessDriverCallFailed', call: 'parse', name: 'fake', version: '1.0.0' },
      commitSessionId: run.of('inference').length === 0 ? null : 'offered-id',
    });
    expect(run.of('harness_exit')).toMatchObject([{ cause: 'driver_error', killed: true }]);
  });

  test.each(['trap', 'refuse', 'throw'])('in launch (%s) starts nothing', async (fault) => {
    const run = await startRun([turnEnd()], { config: { launch: fault } });
    expect(await run.outcome).toMatchObject({
      status: 'failed',
      error: { variant: 'ProcessDriverCallFailed', call: 'launch' },
      commitSessionId: null,
    });
    expect(run.records).toEqual([]);
  });

  test('says why it refused', async () => {
    const run = await startRun([turnEnd()], { config: { launch: 'refuse' } });
    expect((await run.outcome).error).toMatchObject({ message: 'the fake driver refuses this launch' });
  });

  test.each(['trap', 'throw'])('in classify-exit (%s) fails the attempt', async (fault) => {
    const run = await startRun([text('a')], { config: { classify_exit: fault } });
    expect((await run.outcome).error).toMatchObject({
      variant: 'ProcessDriverCallFailed',
      call: 'classify-exit',
    });
  });

  test('by hanging is stopped after its own deadline', async () => {
    const run = await startRun([{ print: { driver: 'hang' } }, hang]);
    expect((await run.outcome).error).toMatchObject({ variant: 'ProcessDriverCallFailed', call: 'parse' });
  });
});

test('a harness that reads no stdin and does not end is stopped as a failed write', async () => {
  const run = await startRun([], {
    binary: { path: '/bin/sh', source: 'inference.command' },
    config: {
      args: ['-c', 'exec <&-; echo ready; sleep 1000'],
      stdin: 'x'.repeat(80_000),
      script: undefined,
    },
  });
  await run.recorded('harness_note');
  await run.clock.whenTimer(3000);
  run.clock.advance(3000);
  expect(await run.outcome).toMatchObject({ status: 'failed', error: { variant: 'Runtime' } });
  expect(run.of('harness_exit')).toMatchObject([{ cause: 'driver_error', killed: true }]);
});

test('a harness that ends before it read its stdin is judged by its end', async () => {
  const run = await startRun([], {
    binary: { path: '/bin/sh', source: 'inference.command' },
    config: { args: ['-c', 'exit 4'], stdin: 'x'.repeat(80_000), script: undefined },
  });
  expect(await run.outcome).toMatchObject({ status: 'failed', error: { variant: 'HarnessTurnFailed' } });
  expect(run.of('harness_exit')).toMatchObject([{ cause: 'eof', code: 4 }]);
});

test.each([1, 2])(
  'a harness whose keeper (%i level up) is killed takes nothing down with it and leaves nothing',
  async (levels) => {
    const run = await startRun([text('a'), note('ready'), hang], { straggler: true });
    await run.recorded('harness_note');
    let keeper = run.snapshot().pid;
    for (let i = 0; i < levels; i++)
      keeper = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${keeper}/status`, 'utf8'))?.[1]);
    expect(readFileSync(`/proc/${keeper}/comm`, 'utf8')).toMatch(/^warden/);
    process.kill(keeper, 'SIGKILL');
    expect(await run.outcome).toMatchObject({
      status: 'failed',
      result: null,
      commitSessionId: 'offered-id',
    });
    expect(run.of('harness_exit')).toHaveLength(1);
    expect(run.of('inference')).toHaveLength(1);
  },
);

test('a driver whose process is killed is a failed call', async () => {
  const run = await startRun(
    [note('ready'), { on_signal: 'SIGUSR2', steps: [text('never read')] }, note('armed'), hang],
    {
      instance: (inner) => ({
        ...inner,
        async parse(lines) {
          if (lines.some((line) => line.includes('never read'))) await inner[Symbol.asyncDispose]();
          return inner.parse(lines);
        },
      }),
    },
  );
  await run.recorded('harness_note', { text: 'armed' });
  process.kill(run.snapshot().pid, 'SIGUSR2');
  expect(await run.outcome).toMatchObject({
    status: 'failed',
    error: { variant: 'ProcessDriverCallFailed', call: 'parse' },
  });
});

test('a record that cannot be written ends the run as that failure', async () => {
  const run = await startRun([text('a'), turnEnd(), hang], {
    straggler: true,
    record: ({ eventType }) => {
      if (eventType === 'inference')
        throw new MurmurError({ variant: 'AgentLoopFailed', message: 'disk full' });
    },
  });
  expect(await run.outcome).toMatchObject({ status: 'failed', error: { variant: 'AgentLoopFailed' } });
});

test('a program that cannot be started leaves a start and no exit', async () => {
  const run = await startRun([turnEnd()], {
    binary: { path: '/nowhere/agent', source: 'inference.command' },
  });
  expect(await run.outcome).toMatchObject({ status: 'failed', error: { variant: 'Runtime' } });
  expect(run.order).toEqual(['harness_start']);
});

test('calls without a result are noted after the exit', async () => {
  const run = await startRun([
    event('tool-call', { id: 'b', name: 'grep', input: '{}' }),
    event('tool-call', { id: 'a', name: 'grep', input: '{}' }),
    turnEnd(),
  ]);
  await run.outcome;
  expect(run.order).toEqual(['harness_start', 'inference', 'harness_exit', 'harness_note', 'harness_note']);
  expect(run.of('harness_note').map((n) => n.text)).toEqual([
    expect.stringContaining("'a'"),
    expect.stringContaining("'b'"),
  ]);
  expect(run.of('tool_call')).toEqual([]);
});

test('a version warning comes first, word for word as a person reads it', async () => {
  const warning = {
    code: 'W-RUN-002',
    harness: 'fake',
    detail: 'its version reads ‘9’',
    tested: ['1.0.0'],
  } as const;
  const run = await startRun([turnEnd()], {
    version: Promise.resolve({ line: '9', tested: false, warning }),
  });
  await run.outcome;
  expect(run.order[0]).toBe('harness_warning');
  expect(run.of('harness_warning')[0]).toMatchObject({
    code: 'W-RUN-002',
    message: expect.stringContaining('its version reads ‘9’'),
  });
  expect(run.warnings).toEqual([warning]);
  expect(run.of('harness_start')).toMatchObject([{ harness_version: '9', version_tested: false }]);
});
