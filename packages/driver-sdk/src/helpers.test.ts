import fc from 'fast-check';
import { expect, test } from 'vitest';
import { classifyExitByDefault } from './exit.js';
import type { DriverEvent, ExitStatus, LaunchRequest } from './generated/contract.js';
import {
  mcpConfigFile,
  pathOfFile,
  readDriverConfig,
  refuseTokenInArguments,
  wantedModel,
} from './launch.js';
import { noteFor } from './notes.js';
import { createQuotaMerger, isQuotaWindowName } from './quota.js';
import { createTextAssembler } from './text-assembler.js';
import { createToolCallTracker } from './tool-calls.js';
import { prefixNaming } from './tool-naming.js';

test('text assembler: deltas of a message add up to its text, and none follows the whole text', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.string({ maxLength: 5 }))), (pieces) => {
      const assembler = createTextAssembler();
      let id: string | undefined;
      let expected = '';
      for (const [message, piece] of pieces) {
        expected = message === id ? expected + piece : piece;
        id = message;
        assembler.delta(message, piece);
      }
      expect(assembler.latest()).toBe(id === undefined ? undefined : expected);
      if (id !== undefined) {
        expect(assembler.whole(id, 'final')).toEqual([{ tag: 'text', val: 'final' }]);
        expect(assembler.delta(id, 'late')).toEqual([]);
        expect(assembler.latest()).toBe('final');
      }
    }),
  );
});

test('text assembler: blocks of one message are joined, so a later one never loses an earlier one', () => {
  const assembler = createTextAssembler();
  expect(assembler.block('m', 'one')).toEqual([{ tag: 'text', val: 'one' }]);
  expect(assembler.block('m', ' two')).toEqual([{ tag: 'text', val: 'one two' }]);
  expect(assembler.block('n', 'three')).toEqual([{ tag: 'text', val: 'three' }]);
});

test('tool calls: every result has one call before it, progress only grows and only while writing', () => {
  const tracker = createToolCallTracker();
  expect(tracker.started(0, 'c1', 'read')).toHaveLength(1);
  expect(tracker.inputPiece(0, '{"p":"é')).toEqual([
    { tag: 'tool-call-progress', val: { id: 'c1', inputBytes: 8 } },
  ]);
  expect(tracker.inputPiece(0, '"}')).toEqual([
    { tag: 'tool-call-progress', val: { id: 'c1', inputBytes: 10 } },
  ]);
  expect(tracker.inputPiece(1, 'x')).toEqual([]);
  expect(tracker.called('c1', 'read', '{"p":"é"}')).toHaveLength(1);
  expect(tracker.called('c1', 'read', '{}')).toEqual([]);
  expect(tracker.inputPiece(0, 'late')).toEqual([]);
  expect(tracker.answered('c1', 'ok', false, { name: 'read', input: '{}' })).toEqual([
    { tag: 'tool-result', val: { id: 'c1', output: 'ok', isError: false } },
  ]);
  expect(
    tracker.answered('c2', 'no', true, { name: 'write', input: '{}' }).map((event) => event.tag),
  ).toEqual(['tool-call', 'tool-result']);
});

test('tool naming takes off exactly its own prefix, once', () => {
  const naming = prefixNaming('mcp__murmur__');
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (name) => {
      expect(naming.strip(naming.add(name))).toBe(name);
    }),
  );
  expect(naming.strip('mcp__other__x')).toBe('mcp__other__x');
  expect(naming.strip('mcp__murmur__mcp__murmur__x')).toBe('mcp__murmur__x');
  expect(naming.strip('mcp__murmur__')).toBe('mcp__murmur__');
});

test('quota: sparse reports are completed from the last one of that window; bad windows become notes', () => {
  const merger = createQuotaMerger();
  merger.report([{ name: 'five-hour', used: 0.5, resetsAt: 1000 }]);
  expect(merger.report([{ name: 'five-hour', used: 0.75 }])).toEqual([
    { tag: 'quota', val: [{ name: 'five-hour', used: 0.75, resetsAt: 1000 }] },
  ]);
  expect(
    merger
      .report([{ name: 'Five Hour' }, { name: 'x', used: 1.5 }, { name: 'y', used: Number.NaN }])
      .map((event) => event.tag),
  ).toEqual(['note', 'note', 'note']);
  expect(isQuotaWindowName('a'.repeat(64))).toBe(true);
  for (const name of ['', '-a', 'A', 'a'.repeat(65), 'a b', 'é', 'a\n'])
    expect(isQuotaWindowName(name)).toBe(false);
});

test('exits: interrupted is canceled whatever the code, every other end fails, stderr is told', () => {
  const code = fc.option(fc.integer({ min: 0, max: 255 }), { nil: undefined });
  const exit: fc.Arbitrary<ExitStatus> = fc.record({
    code,
    signal: code,
    stderrTail: fc.string(),
    interrupted: fc.boolean(),
    sawTerminal: fc.boolean(),
  });
  fc.assert(
    fc.property(exit, (status) => {
      const event = classifyExitByDefault(status) as Extract<DriverEvent, { tag: 'turn-failed' }>;
      expect(event.tag).toBe('turn-failed');
      expect(event.val.kind).toBe(status.interrupted && !status.sawTerminal ? 'canceled' : 'harness-error');
      expect(event.val.message).toContain(status.stderrTail.trim());
    }),
  );
});

const request = (more: Partial<LaunchRequest>): LaunchRequest => ({
  model: undefined,
  systemPrompt: '',
  config: undefined,
  bridge: undefined,
  session: { id: 's', mode: 'new' },
  harnessVersion: undefined,
  task: '',
  ...more,
});
const bridge = {
  serverName: 'murmur',
  url: 'http://127.0.0.1:1/bridge',
  bearerToken: 'canary-token',
  toolNames: ['read'],
};

test('launch helpers: blank models are none, unknown configuration keys are named', () => {
  expect(wantedModel(request({ model: '  ' }))).toBeUndefined();
  expect(wantedModel(request({ model: ' m ' }))).toBe('m');
  expect(readDriverConfig(request({}), [])).toEqual({});
  expect(() => readDriverConfig(request({ config: '{"a":1,"b":2,"c":3}' }), ['a'])).toThrow(
    'keys this driver does not know: b, c (known: a)',
  );
  expect(() => readDriverConfig(request({ config: '[]' }), [])).toThrow('not a mapping');
});

test('the MCP file holds the token, an argument that does is refused', () => {
  const file = mcpConfigFile(bridge);
  expect(JSON.parse(file.contents).mcpServers.murmur.headers.Authorization).toBe('Bearer canary-token');
  expect(pathOfFile(file)).toBe('{files_dir}/mcp-config.json');
  const plan = { args: ['--header', 'x: canary-token'], envSet: [], files: [], keepStdinOpen: false };
  expect(() => refuseTokenInArguments(plan, request({ bridge }))).toThrow('into an argument');
  expect(() =>
    refuseTokenInArguments({ ...plan, args: [pathOfFile(file)] }, request({ bridge })),
  ).not.toThrow();
});

test('a note quotes at most 512 units of a line', () => {
  const [event] = [noteFor('x'.repeat(5000))];
  expect(event?.tag === 'note' && event.val.length).toBeLessThan(540);
});
