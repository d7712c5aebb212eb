import fc from 'fast-check';
import { expect, test } from 'vitest';
import { process as driver } from '../src/index.js';
import { exitOf, isTerminal, linesOf, replay, turnCases } from './replay.js';

test.each(turnCases)('%s: noise between the lines changes no outcome', (name) => {
  const outcome = replay(driver, name).find(isTerminal);
  const noise = fc.oneof(
    fc.string(),
    fc.json(),
    fc.constant('{"type":"system","subtype":"status"}'),
    fc.constant('{"type":"result","parent_tool_use_id":"toolu_9","is_error":false,"result":"no"}'),
  );
  fc.assert(
    fc.property(fc.array(noise, { maxLength: 5 }), fc.nat(30), (lines, at) => {
      replay(driver, name);
      const all = [...linesOf(name)];
      all.splice(at, 0, ...lines);
      const events = driver.parse(all);
      expect([...events, driver.classifyExit(exitOf(name, false))].find(isTerminal)).toEqual(outcome);
    }),
    { numRuns: 20 },
  );
});

test('parse is total: no line makes it throw', () => {
  replay(driver, 'plain');
  const types = [
    'system',
    'stream_event',
    'assistant',
    'user',
    'result',
    'rate_limit_event',
    'prompt_suggestion',
    'control_response',
  ];
  const block = fc.record(
    {
      type: fc.constantFrom('text', 'thinking', 'tool_use', 'tool_result'),
      text: fc.anything(),
      id: fc.anything(),
      name: fc.anything(),
      content: fc.anything(),
    },
    { requiredKeys: ['type'] },
  );
  const line = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .record(
        {
          type: fc.constantFrom(...types),
          subtype: fc.constantFrom('init', 'api_retry', 'status', 'success'),
          message: fc.oneof(
            fc.anything(),
            fc.record({ id: fc.constant('m'), content: fc.array(block), usage: fc.anything() }),
          ),
          event: fc.oneof(
            fc.anything(),
            fc.record({
              type: fc.constantFrom('message_start', 'content_block_delta', 'message_delta'),
              delta: fc.anything(),
              message: fc.anything(),
              index: fc.anything(),
            }),
          ),
          usage: fc.anything(),
          modelUsage: fc.anything(),
          is_error: fc.anything(),
          errors: fc.anything(),
          rate_limit_info: fc.anything(),
          mcp_servers: fc.anything(),
          parent_tool_use_id: fc.constantFrom(null, 'x', 3),
        },
        { requiredKeys: ['type'] },
      )
      .map((value) => JSON.stringify(value) ?? ''),
    fc.nat(400).map((length) => (linesOf('plain').at(-1) ?? '').slice(0, length)),
  );
  fc.assert(
    fc.property(line, (text) => {
      for (const event of driver.parse([text]))
        if (event.tag === 'note') expect(event.val).not.toMatch(/^the driver (failed|made)/);
    }),
    { numRuns: 3000 },
  );
  expect(driver.parse(['x'.repeat(1 << 20), '['.repeat(1 << 20)]).map((event) => event.tag)).toEqual([
    'note',
    'note',
  ]);
});

test('an error result never becomes an answer, nor does its report become text', () => {
  for (const name of turnCases) {
    const last = linesOf(name).at(-1) ?? '';
    if (!last.includes('"type":"result"') || !last.includes('"is_error":true')) continue;
    const events = replay(driver, name);
    expect(events.filter(isTerminal).map((event) => event.tag)).toEqual(['turn-failed']);
    for (const event of events) if (event.tag === 'text') expect(event.val).not.toMatch(/error|log ?in/i);
  }
  replay(driver, 'plain');
  const result = linesOf('plain').at(-1) ?? '';
  expect(driver.parse([result.replace('"is_error":false,', '')]).at(-1)?.tag).toBe('turn-failed');
});

test('what a tool was given is in its call and nowhere else', () => {
  for (const name of ['tool', 'own-shell-tool', 'tool-denied', 'signed-in-tool'])
    for (const event of replay(driver, name))
      if (event.tag !== 'tool-call' && event.tag !== 'tool-result')
        expect(JSON.stringify(event)).not.toMatch(/ping-1|shadow/);
});

test('a message gives one text, its streamed pieces joined, and no piece after it', () => {
  for (const name of turnCases) {
    let pieces = '';
    for (const event of replay(driver, name)) {
      if (event.tag === 'text-delta') pieces += event.val;
      if (event.tag !== 'text') continue;
      // Where the stream broke off, the text is another message's.
      if (!/cut|error-then-ok/.test(name) && pieces !== '') expect(pieces, name).toBe(event.val);
      pieces = '';
    }
  }
});
