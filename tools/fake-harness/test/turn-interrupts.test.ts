import { afterAll, describe, expect, test } from 'vitest';
import { close, event, hang, started, startRun, text, turnEnd, turnFailed } from './support/host.js';

afterAll(close);
const ready = event('note', 'ready');
const canceled = turnFailed('canceled', 'stopped on request');

describe('a cancel', () => {
  test('that came before the start spawns nothing and asks no driver', async () => {
    const run = await startRun([turnEnd()], { cancel: AbortSignal.abort() });
    expect(await run.outcome).toMatchObject({
      status: 'canceled',
      result: null,
      error: null,
      killed: false,
      turns: 0,
    });
    expect(run.records).toEqual([]);
  });

  test('that comes while the launch is planned leaves neither start nor exit', async () => {
    const abort = new AbortController();
    const run = await startRun([turnEnd()], {
      cancel: abort.signal,
      instance: (inner) => ({
        ...inner,
        async launch(request) {
          const plan = await inner.launch(request);
          abort.abort();
          return plan;
        },
      }),
    });
    expect(await run.outcome).toMatchObject({ status: 'canceled', commitSessionId: null });
    expect(run.records).toEqual([]);
  });
});

describe('by signal', () => {
  test('a harness that winds down is canceled on request, its last words kept', async () => {
    const run = await startRun([
      {
        on_signal: 'SIGINT',
        steps: [text('so far'), event('usage', { input: 3, output: 2 }), canceled, { exit: 0 }],
      },
      started('s'),
      ready,
      hang,
    ]);
    await run.recorded('harness_note');
    run.cancel();
    expect(await run.outcome).toEqual({
      status: 'canceled',
      result: 'so far',
      error: null,
      killed: false,
      commitSessionId: 's',
      turns: 1,
      inputTokens: 3,
      outputTokens: 2,
      toolCalls: 0,
    });
    expect(run.order).toEqual([
      'harness_start',
      'harness_session',
      'harness_note',
      'harness_interrupt',
      'inference',
      'harness_failed',
      'harness_exit',
    ]);
    expect(run.of('harness_interrupt')).toEqual([
      { method: 'signal-int', delivered: true, grace_ms: 10_000 },
    ]);
    expect(run.of('harness_exit')).toMatchObject([{ cause: 'canceled', killed: false, code: 0 }]);
  });

  test('an answer that comes anyway stays canceled and is not streamed', async () => {
    const run = await startRun([
      { on_signal: 'SIGINT', steps: [turnEnd('all of it'), { exit: 0 }] },
      ready,
      hang,
    ]);
    await run.recorded('harness_note');
    run.cancel();
    expect(await run.outcome).toMatchObject({
      status: 'canceled',
      result: 'all of it',
      commitSessionId: 'offered-id',
    });
    expect(run.frames).toEqual([]);
  });

  test('without a terminal event the driver is asked, told that the run was interrupted', async () => {
    const asked: unknown[] = [];
    const run = await startRun([{ on_signal: 'SIGINT', steps: [{ exit: 1 }] }, text('half'), ready, hang], {
      instance: (inner) => ({
        ...inner,
        classifyExit(exit) {
          asked.push(exit);
          return inner.classifyExit(exit);
        },
      }),
    });
    await run.recorded('harness_note');
    run.cancel();
    expect(await run.outcome).toMatchObject({ status: 'canceled', result: 'half', error: null });
    expect(asked).toMatchObject([{ code: 1, interrupted: true, sawTerminal: false }]);
    expect(run.order.slice(-3)).toEqual(['harness_exit', 'inference', 'harness_failed']);
    expect(run.of('harness_failed')).toMatchObject([{ kind: 'canceled', source: 'harness' }]);
  });

  test.each([
    ['a success', { tag: 'turn-end', val: 'x' }],
    ['another failure', { tag: 'turn-failed', val: { kind: 'other', message: 'x' } }],
    ['no end', { tag: 'note', val: 'x' }],
    ['a trap', 'trap'],
  ])('a driver that answers %s then is noted, never believed', async (_name, answer) => {
    const run = await startRun([{ on_signal: 'SIGINT', steps: [{ exit: 1 }] }, text('half'), ready, hang], {
      config: { classify_exit: answer },
    });
    await run.recorded('harness_note');
    run.cancel();
    expect(await run.outcome).toMatchObject({ status: 'canceled', error: null });
    expect(run.order.slice(-3)).toEqual(['harness_exit', 'inference', 'harness_note']);
  });

  test('a harness that ignores it is killed with all it left when 10 s are over, however much it says', async () => {
    const talk = event('note', 'still here');
    const run = await startRun(
      [{ ignore: ['SIGINT', 'SIGTERM'] }, { on_signal: 'SIGUSR2', steps: [talk] }, ready, hang],
      {
        straggler: true,
      },
    );
    await run.recorded('harness_note');
    run.cancel();
    await run.recorded('harness_interrupt');
    run.clock.advance(9_000);
    process.kill(run.snapshot().pid, 'SIGUSR2');
    await run.recorded('harness_note', { text: 'still here' });
    expect(run.of('harness_exit')).toEqual([]);
    run.clock.advance(1_000);
    expect(await run.outcome).toMatchObject({ status: 'canceled', killed: true });
    expect(run.of('harness_exit')).toMatchObject([{ cause: 'canceled', killed: true, signal: 9 }]);
  });

  test('the budget does not turn a canceled run into a failed one', async () => {
    const run = await startRun([{ on_signal: 'SIGINT', steps: [text('a')] }, ready, hang], { maxTurns: 0 });
    await run.recorded('harness_note');
    run.cancel();
    expect(await run.outcome).toMatchObject({ status: 'canceled', error: null });
  });

  test('a driver that hangs does not hold the kill up', async () => {
    const run = await startRun([ready, { read_all: true }], {
      config: { keep_stdin_open: true },
      instance: (inner) => {
        let calls = 0;
        return {
          ...inner,
          parse: (lines) => (calls++ === 0 ? inner.parse(lines) : new Promise(() => undefined)),
        };
      },
    });
    await run.recorded('harness_note');
    run.cancel();
    await run.recorded('harness_interrupt');
    run.clock.advance(10_000);
    expect(await run.outcome).toMatchObject({ status: 'canceled' });
  });
});

describe('by message on stdin', () => {
  const listening = { keep_stdin_open: true, stdin: 'the task\n', interrupt_stdin: '{"stop":true}\n' };

  test('the bytes arrive as they are', async () => {
    const run = await startRun(
      [{ read_line: true }, ready, { read_line: 'print', expect: '{"stop":true}' }, canceled, { exit: 0 }],
      { variant: 'interrupt-stdin-message', config: listening },
    );
    await run.recorded('harness_note');
    run.cancel();
    expect(await run.outcome).toMatchObject({ status: 'canceled', killed: false });
    expect(run.of('harness_interrupt')).toEqual([
      { method: 'stdin-message', delivered: true, grace_ms: 10_000 },
    ]);
    expect(run.of('harness_note').map((n) => n.text)).toContainEqual(
      expect.stringContaining('{"stop":true}'),
    );
  });

  test('a harness that waits for its next message is let go by closing stdin', async () => {
    const run = await startRun(
      [{ read_line: true }, ready, { read_line: true }, canceled, { read_all: true }, { exit: 1 }],
      {
        variant: 'interrupt-stdin-message',
        config: listening,
      },
    );
    await run.recorded('harness_note');
    run.cancel();
    expect(await run.outcome).toMatchObject({ status: 'canceled', killed: false });
    expect(run.of('harness_exit')).toMatchObject([{ code: 1, killed: false }]);
  });

  test.each([
    ['stdin is closed', { stdin: 'the task\n', interrupt_stdin: 'stop\n' }],
    ['there are no bytes', { keep_stdin_open: true }],
  ])('when %s it cannot be delivered: noted and killed', async (_name, config) => {
    const run = await startRun([ready, hang], {
      variant: 'interrupt-stdin-message',
      config,
      straggler: true,
    });
    await run.recorded('harness_note', { text: 'ready' });
    run.cancel();
    expect(await run.outcome).toMatchObject({ status: 'canceled', killed: true });
    expect(run.of('harness_interrupt')).toEqual([{ method: 'stdin-message', delivered: false, grace_ms: 0 }]);
    const at = run.order.indexOf('harness_interrupt');
    expect(run.order.slice(at - 1, at + 2)).toEqual(['harness_note', 'harness_interrupt', 'harness_exit']);
    expect(run.of('harness_exit')).toMatchObject([{ cause: 'canceled', killed: true }]);
  });
});

test('a harness that cannot be interrupted is killed, without a note', async () => {
  const run = await startRun([started('s'), ready, hang], {
    variant: 'interrupt-unsupported',
    straggler: true,
  });
  await run.recorded('harness_note');
  run.cancel();
  expect(await run.outcome).toMatchObject({ status: 'canceled', killed: true, commitSessionId: null });
  expect(run.of('harness_interrupt')).toEqual([{ method: 'unsupported', delivered: false, grace_ms: 0 }]);
  expect(run.order.filter((type) => type === 'harness_note')).toHaveLength(1);
});
