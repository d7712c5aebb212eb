import { afterAll, describe, expect, test } from 'vitest';
import { close, event, hang, startRun, text, turnEnd } from './support/host.js';

afterAll(close);

describe('framing', () => {
  test('blank lines, carriage returns, invalid UTF-8 and characters split over writes', async () => {
    const seen: string[] = [];
    const run = await startRun(
      [
        { print: ['', 'plain', 'cr\r', ' two\r\r'] },
        { print_bytes: 'ff41fe0a' },
        { print_raw: 'spl' },
        { delay_ms: 5 },
        { print_bytes: 'c3' },
        { delay_ms: 5 },
        { print_bytes: 'a90a' },
        turnEnd(),
        { print_raw: 'no end' },
      ],
      {
        instance: (inner) => ({
          ...inner,
          parse(lines) {
            seen.push(...lines);
            return inner.parse(lines);
          },
        }),
      },
    );
    expect(await run.outcome).toMatchObject({ status: 'completed' });
    expect(seen.slice(0, 6)).toEqual(['', 'plain', 'cr', ' two\r', '\ufffdA\ufffd', 'splé']);
    expect(seen.slice(6)).toHaveLength(1);
  });

  test('a line above the cap is thrown away with its length told, and the lines around it stand in order', async () => {
    const run = await startRun([
      event('note', 'before'),
      { huge: 17 * 1024 * 1024, newline: true },
      event('note', 'after'),
      text('a'),
      turnEnd('a'),
    ]);
    expect(await run.outcome).toMatchObject({ status: 'completed', result: 'a' });
    expect(run.of('harness_note').map((n) => n.text)).toEqual([
      'before',
      expect.stringContaining(String(17 * 1024 * 1024)),
      'after',
    ]);
  });

  test('a long line below it arrives', async () => {
    const run = await startRun([{ huge: 3 * 1024 * 1024, newline: true }, turnEnd('a')]);
    expect(await run.outcome).toMatchObject({ status: 'completed' });
    expect(run.of('harness_note')).toHaveLength(1);
  });

  test('a terminal line without its newline is no line', async () => {
    const run = await startRun([
      text('a'),
      { print_raw: '{"event":{"tag":"turn-end","val":"x"}}' },
      { exit: 0 },
    ]);
    expect(await run.outcome).toMatchObject({ status: 'failed' });
  });
});

describe('batches', () => {
  test('hold at most 256 lines in order, and never are two out at once', async () => {
    const sizes: number[] = [];
    const lines: string[] = [];
    let out = 0;
    const run = await startRun([{ flood: 5000, line: 'line {n}' }, turnEnd()], {
      instance: (inner) => ({
        ...inner,
        async parse(batch) {
          out += 1;
          expect(out).toBe(1);
          sizes.push(batch.length);
          lines.push(...batch);
          const events = await inner.parse(batch);
          out -= 1;
          return events;
        },
      }),
    });
    await run.outcome;
    expect(Math.max(...sizes)).toBeLessThanOrEqual(256);
    expect(lines.slice(0, 5000)).toEqual(Array.from({ length: 5000 }, (_, n) => `line ${n}`));
    expect(run.of('harness_note')).toHaveLength(5000);
  });

  test('a million lines leave no trace in memory', async () => {
    let seen = 0;
    let early = 0;
    let late = 0;
    const run = await startRun([{ flood: 1_000_000, line: 'line {n}' }, turnEnd('end')], {
      // The driver is stood in for: what is looked at is everything around it, at its full speed.
      instance: (inner) => ({
        ...inner,
        async parse(lines) {
          seen += lines.length;
          if (seen > 100_000 && early === 0) early = process.memoryUsage.rss();
          if (seen > 950_000) late = process.memoryUsage.rss();
          return lines.map((line) =>
            line.startsWith('line')
              ? ({ tag: 'text-delta', text: line } as const)
              : ({ tag: 'turn-end', result: 'end' } as const),
          );
        },
      }),
      stream: () => undefined,
    });
    expect(await run.outcome).toMatchObject({ status: 'completed', result: 'end' });
    expect(seen).toBe(1_000_001);
    expect(late - early).toBeLessThan(64 * 1024 * 1024);
  });
});

test('10^5 lines after the terminal event are cut off by the grace', async () => {
  const run = await startRun([
    turnEnd('x'),
    { repeat: 1000, steps: [{ flood: 100_000, line: 'late' }] },
    hang,
  ]);
  await run.recorded('harness_note');
  await run.clock.whenTimer(3000);
  run.clock.advance(3000);
  expect(await run.outcome).toMatchObject({ status: 'completed', result: 'x' });
  expect(run.of('harness_exit')).toMatchObject([{ cause: 'terminal', killed: true }]);
});

test('control characters of the harness are gone from what people read', async () => {
  const run = await startRun([
    event('note', '\u001b[31mred\u001b[0m\u0007'),
    { print: '\u001b]0;title\u0007raw' },
    event('turn-failed', { kind: 'other', message: 'bad\u001b[2J\u009b1m\u202eness' }),
  ]);
  const outcome = await run.outcome;
  expect(JSON.stringify(run.records)).not.toMatch(/\\u00(?:1b|07|9b)/i);
  expect(run.of('harness_note')[0]).toEqual({ text: 'red' });
  expect(run.of('harness_failed')[0]).toMatchObject({ message: 'badness' });
  expect(outcome.error).toMatchObject({ kind: 'other' });
});

test('stderr is kept by its last whole lines for the driver’s judgement', async () => {
  const asked: string[] = [];
  const run = await startRun([{ stderr: `${'old line\n'.repeat(2000)}last words\n` }, { exit: 1 }], {
    instance: (inner) => ({
      ...inner,
      classifyExit(exit) {
        asked.push(exit.stderrTail);
        return inner.classifyExit(exit);
      },
    }),
  });
  await run.outcome;
  expect(Buffer.byteLength(asked[0] ?? '')).toBeLessThanOrEqual(4096);
  expect(asked[0]?.startsWith('old line\n')).toBe(true);
  expect(asked[0]?.endsWith('last words\n')).toBe(true);
});
