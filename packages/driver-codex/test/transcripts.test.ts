import fc from 'fast-check';
import { expect, test } from 'vitest';
import { process as driver } from '../src/index.js';
import { exitOf, isTerminal, linesOf, plain, replay, stdoutOf, turnCases } from './replay.js';

test.each(turnCases)('%s: noise between the lines changes no outcome', (name) => {
  const outcome = replay(driver, name).find(isTerminal);
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string(), fc.json(), fc.constant('{"type":"item.completed"}')), { maxLength: 5 }),
      fc.nat(20),
      (noise, at) => {
        const lines = [...linesOf(name)];
        lines.splice(at, 0, ...noise);
        const events = driver.parse(lines);
        expect([...events, driver.classifyExit(exitOf(name, false))].find(isTerminal)).toEqual(outcome);
      },
    ),
    { numRuns: 20 },
  );
});

test('parse is total: no line makes it throw', () => {
  replay(driver, 'plain');
  const types = [
    'thread.started',
    'turn.started',
    'turn.completed',
    'turn.failed',
    'error',
    'item.started',
    'item.completed',
    'item.updated',
  ];
  const items = [
    'agent_message',
    'reasoning',
    'mcp_tool_call',
    'command_execution',
    'file_change',
    'web_search',
    'todo_list',
    'error',
    'new',
  ];
  const line = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .record(
        {
          type: fc.constantFrom(...types),
          item: fc.oneof(
            fc.anything(),
            fc.record({ type: fc.constantFrom(...items), text: fc.anything(), id: fc.anything() }),
          ),
          usage: fc.anything(),
          error: fc.anything(),
          message: fc.anything(),
          thread_id: fc.anything(),
        },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value) ?? ''),
    fc.nat(400).map((length) => '{"type":"turn.completed","usage":{"input_tokens":1020}}'.slice(0, length)),
  );
  fc.assert(
    fc.property(line, (text) => {
      driver.parse([text]);
    }),
    { numRuns: 2000 },
  );
  expect(driver.parse(['x'.repeat(1 << 20), '['.repeat(1 << 20)]).map((event) => event.tag)).toEqual([
    'note',
    'note',
  ]);
});

test('totals on a resumed thread give no usage and one note, on a new one exact figures without cache', () => {
  const usage = (name: string) => replay(driver, name).filter((event) => event.tag === 'usage');
  expect(usage('resume')).toEqual([]);
  expect(
    replay(driver, 'resume').filter((event) => event.tag === 'note' && event.val.includes('token counts')),
  ).toHaveLength(1);
  expect(plain(usage('tool'))).toEqual([
    { tag: 'usage', val: { input: 240, output: 54, cacheRead: 1800, cacheCreation: 0, thinking: 0 } },
  ]);
});

test('an error result never becomes an answer', () => {
  for (const name of turnCases)
    if (stdoutOf(name).includes('"turn.failed"'))
      expect(
        replay(driver, name)
          .filter(isTerminal)
          .map((event) => event.tag),
      ).toEqual(['turn-failed']);
});

test('what a tool was given is in its call and nowhere else', () => {
  for (const name of ['tool', 'own-shell-tool'])
    for (const event of replay(driver, name))
      if (event.tag !== 'tool-call' && event.tag !== 'tool-result')
        expect(JSON.stringify(event)).not.toMatch(/ping-1|shadow/);
});

test("another server's tools are noted and never taken for the capsule's own", () => {
  replay(driver, 'plain');
  const line =
    linesOf('tool').find((text) => text.includes('mcp_tool_call') && text.includes('item.completed')) ?? '';
  expect(driver.parse([line.replace('"server":"mur"', '"server":"mine"')]).map((event) => event.tag)).toEqual(
    ['note'],
  );
});
