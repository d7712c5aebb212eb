// The main path on the second real harness: the real Claude Code, driven by the built `mur`, against the scripted model.
import path from 'node:path';
import { type ModelServer, startModelServer } from '@murmur-tools/model-server';
import { CLAUDE_MOCK_TOKEN, claudeHome, ensureHarness, pinOf } from '@murmur-tools/real-harnesses';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  claudeDriver,
  makeHome,
  makeProject,
  type Project,
  removeAll,
  type TraceLine,
} from './support/project.js';

let home: string;
let claude: string;
let model: ModelServer;
let project: Project;

beforeAll(async () => {
  home = makeHome();
  claude = await ensureHarness('claude-code');
  model = await startModelServer();
});

afterAll(async () => {
  await model.close();
  removeAll(home);
});

/** Points the capsule at one script of the model server. */
function useModel(script: string, tag: string, config: object = {}): void {
  project.writeManifest({
    name: 'claude-case',
    version: '0.1.0',
    artifacts: [{ name: 'murmur-driver-claude-code', version: '0.1.0', runtime: 'driver' }],
    inference: {
      transport: 'process',
      command: claude,
      driver: {
        artifact: 'murmur-driver-claude-code',
        config: { base_url: model.urlFor(script, tag), max_retries: 0, ...config },
      },
    },
    lifecycle: { conversation: 'threaded' },
    capabilities: {
      env: { allow: ['HOME', 'PATH'] },
      network: { allow: ['api.anthropic.com', 'platform.claude.com', '127.0.0.1'] },
      harness: { paths: [{ path: '~/.claude', access: 'read-write' }] },
    },
  });
}

beforeEach(async () => {
  await claudeHome(path.join(home, '.claude'));
  project = makeProject({ home });
  useModel('plain', 'install');
  const installed = await project.run(['install', claudeDriver]);
  expect(installed.stderr + installed.stdout).toContain('murmur-driver-claude-code@0.1.0');
  expect(installed.code).toBe(0);
  return () => removeAll(project.directory);
});

const kinds = (trace: readonly TraceLine[]): string[] => trace.map((line) => line.event_type);
const all = (trace: readonly TraceLine[], kind: string): readonly TraceLine[] =>
  trace.filter((line) => line.event_type === kind);
const only = (trace: readonly TraceLine[], kind: string): TraceLine => {
  const found = all(trace, kind);
  expect(found, kind).toHaveLength(1);
  return found[0] as TraceLine;
};
const framesOf = (stdout: string): readonly Record<string, unknown>[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** What happened to the tokens of a turn, as the trace has it. */
const counted = { input_tokens: 120, output_tokens: 27, cached_tokens: 900, cache_write_tokens: 30 };

describe('the real Claude Code', () => {
  test('answers a task, and the trace holds what the model server sent', async () => {
    useModel('ping', 'answer');
    const result = await project.run(['run', '--task', 'When I say ping you say?']);
    expect(result.stderr).toContain('status:  ok');
    expect(result.stdout).toBe('pong\n');
    expect(result.code).toBe(0);
    expect(project.result()).toBe('pong');
    expect(model.requestsOf('answer')).toHaveLength(1);
    expect(model.requestsOf('answer')[0]?.headers.authorization).toBe(`Bearer ${CLAUDE_MOCK_TOKEN}`);

    const trace = project.trace();
    const order = [
      'session_start',
      'task_start',
      'harness_start',
      'harness_session',
      'inference',
      'harness_exit',
      'task_end',
      'session_end',
    ];
    expect(kinds(trace).filter((kind) => order.includes(kind))).toEqual(order);
    expect(only(trace, 'harness_start')).toMatchObject({
      driver: 'murmur-driver-claude-code',
      driver_version: '0.1.0',
      harness: 'claude-code',
      binary: claude,
      binary_source: 'inference.command',
      harness_version: `${pinOf('claude-code').version} (Claude Code)`,
      version_tested: true,
      session_mode: 'new',
      env_names: expect.arrayContaining(['HOME', 'PATH', 'ANTHROPIC_BASE_URL', 'DISABLE_TELEMETRY']),
      files: ['system-prompt.txt'],
      keep_stdin_open: true,
    });
    const session = only(trace, 'harness_session');
    expect(session.harness_session_id).toBe(only(trace, 'harness_start').harness_session_id);
    expect(session).toMatchObject({ auth: 'unknown', model: expect.stringContaining('claude') });
    expect(only(trace, 'inference')).toMatchObject({ turn: 0, decision: 'end_turn', ...counted });
    expect(only(trace, 'harness_exit')).toMatchObject({
      code: 0,
      signal: null,
      cause: 'terminal',
      killed: false,
    });
    expect(only(trace, 'task_end')).toMatchObject({
      exit_status: 'ok',
      turns: 1,
      input_tokens: 120,
      output_tokens: 27,
    });
    expect(only(trace, 'session_end')).toMatchObject({
      exit_status: 'ok',
      total_turns: 1,
      total_input_tokens: 120,
      total_output_tokens: 27,
    });
    expect(JSON.stringify(trace)).not.toContain(CLAUDE_MOCK_TOKEN);
  });

  test('streams: pieces of thinking and text come before the result, and once', async () => {
    useModel('think', 'stream');
    const result = await project.run(['run', '--json', '--task', 'What is two and two?']);
    expect(result.code).toBe(0);
    const lines = framesOf(result.stdout);
    expect(lines.at(-1)).toMatchObject({
      event_type: 'result',
      exit_status: 'ok',
      result: 'The answer is four.',
    });
    const pieces = (frame: string): string[] =>
      lines
        .filter((line) => line.event_type === 'stream' && line.frame === frame)
        .map((line) => (line.data as { text: string }).text);
    expect(pieces('thinking')).toEqual(['Two ', 'and ', 'two ', 'make ', 'four.']);
    expect(pieces('text').filter((text) => text !== '')).toEqual(['The ', 'answer ', 'is ', 'four.']);
    expect(only(project.trace(), 'inference')).toMatchObject(counted);
  });

  test('resumes the context: the second request holds the first task', async () => {
    useModel('recall', 'resume');
    expect((await project.run(['run', '--context', 'talk', '--task', 'Remember the word heron.'])).code).toBe(
      0,
    );
    const first = only(project.trace(), 'harness_session').harness_session_id;
    const second = await project.run(['run', '--context', 'talk', '--task', 'Which word?']);
    expect(second.stderr).toContain('status:  ok');
    expect(only(project.trace(), 'harness_start')).toMatchObject({
      session_mode: 'resume',
      harness_session_id: first,
    });
    expect(model.requestsOf('resume').at(-1)?.userTexts).toEqual(['Remember the word heron.', 'Which word?']);
    expect(second.stdout).toContain('heron');
    // The figures of the second turn alone, not of the session.
    expect(only(project.trace(), 'inference')).toMatchObject(counted);

    const fresh = await project.run([
      'run',
      '--context',
      'talk',
      '--forget-session',
      '--task',
      'Which word?',
    ]);
    expect(fresh.code).toBe(0);
    expect(fresh.stdout).not.toContain('heron');
    expect(kinds(project.trace())).toContain('harness_session_forgotten');
  });

  test('a session that is gone is named, and nothing is asked of the model', async () => {
    useModel('plain', 'gone');
    expect((await project.run(['run', '--context', 'lost', '--task', 'Hello.'])).code).toBe(0);
    const id = String(only(project.trace(), 'harness_session').harness_session_id);
    removeAll(path.join(home, '.claude/projects'));
    const result = await project.run(['run', '--context', 'lost', '--task', 'Still there?']);
    expect(result.stderr).toContain('error[E-RUN-036]');
    expect(result.stderr).toContain(id);
    expect(result.stderr).toContain('--forget-session');
    expect(result.code).toBe(1);
    expect(all(project.trace(), 'harness_session')).toEqual([]);
    expect(only(project.trace(), 'harness_failed')).toMatchObject({
      kind: 'harness-error',
      source: 'harness',
    });
    expect(model.requestsOf('gone')).toHaveLength(1);
  });

  test('is interrupted by a line on its stdin while it streams, keeps what it said, and goes on later', async () => {
    useModel('slow', 'cancel');
    const running = project.start(['run', '--json', '--context', 'count', '--task', 'Count slowly.']);
    await running.saw('word-3');
    running.child.kill('SIGINT');
    const result = await running.ended;
    expect(result.stderr).toContain('error[E-RUN-040]');
    expect(result.code).toBe(1);
    const trace = project.trace();
    expect(only(trace, 'harness_interrupt')).toMatchObject({
      method: 'stdin-message',
      delivered: true,
      grace_ms: 10000,
    });
    expect(only(trace, 'harness_exit')).toMatchObject({ cause: 'canceled', killed: false });
    expect(only(trace, 'task_canceled')).toMatchObject({ phase: 'harness' });
    expect(only(trace, 'session_end')).toMatchObject({ exit_status: 'canceled' });
    // What was read is known; what was written until then is Claude Code's own estimate.
    expect(only(trace, 'inference')).toMatchObject({
      input_tokens: 120,
      cached_tokens: 900,
      cache_write_tokens: 30,
    });
    expect(project.result()).toMatch(/^word-1 word-2 word-3 /);
    expect(model.requestsOf('cancel')).toHaveLength(1);

    useModel('recall', 'cancel');
    const next = await project.run(['run', '--context', 'count', '--task', 'Go on.']);
    expect(next.code).toBe(0);
    expect(next.stdout).toContain('Count slowly.');
  });

  test.each<[string, string, number, readonly string[], object]>([
    // The sign-in is read anew before a refused token is believed.
    ['e401', 'auth', 2, ['authentication_failed (401)', 'authentication_failed (401)'], {}],
    ['e429', 'quota', 1, [], {}],
    ['e529', 'harness-error', 1, [], {}],
    ['e529', 'harness-error', 2, ['overloaded (529)'], { max_retries: 1 }],
    ['cut', 'harness-error', 1, [], { non_streaming_fallback: false }],
  ])(
    '%s fails the turn as %s after %i requests, retries told: %j, settings %j',
    async (script, kind, requests, retries, config) => {
      const tag = `fails-${script}-${requests}`;
      useModel(script, tag, config);
      const result = await project.run(['run', '--task', 'anything']);
      expect(result.stderr).toContain('error[E-RUN-033]');
      expect(result.stdout).toBe('');
      expect(result.code).toBe(1);
      const trace = project.trace();
      expect(only(trace, 'harness_failed')).toMatchObject({
        kind,
        source: 'harness',
        message: expect.stringMatching(/./),
      });
      expect(only(trace, 'harness_exit')).toMatchObject({ code: 1, signal: null, cause: 'terminal' });
      expect(all(trace, 'harness_retry').map((line) => line.reason)).toEqual(retries);
      expect(only(trace, 'session_end')).toMatchObject({ exit_status: 'failed', total_tool_calls: 0 });
      expect(model.requestsOf(tag)).toHaveLength(requests);
    },
  );

  test('a stream that breaks is asked for again whole: one answer, both requests counted', async () => {
    useModel('miderror', 'fallback');
    const result = await project.run(['run', '--task', 'What is two and two?']);
    expect(result.stdout).toBe('The answer is four.\n');
    expect(result.code).toBe(0);
    expect(project.result()).toBe('The answer is four.');
    expect(model.requestsOf('fallback')).toHaveLength(2);
    expect(only(project.trace(), 'inference')).toMatchObject({
      input_tokens: 240,
      output_tokens: 28,
      cached_tokens: 1800,
      cache_write_tokens: 60,
    });
  });

  test('its own turn limit ends it, with the tool call that ran', async () => {
    useModel('bash', 'limit', { max_turns: 1, built_in_tools: ['Bash'] });
    const result = await project.run(['run', '--task', 'Look around.']);
    expect(result.stderr).toContain('error[E-RUN-033]');
    expect(result.code).toBe(1);
    const trace = project.trace();
    expect(only(trace, 'harness_failed')).toMatchObject({ kind: 'max-turns', source: 'harness' });
    expect(only(trace, 'tool_call')).toMatchObject({ tool_name: 'Bash', status: 'ok' });
    expect(only(trace, 'session_end')).toMatchObject({
      total_input_tokens: 120,
      total_output_tokens: 27,
      total_tool_calls: 1,
    });
    expect(model.requestsOf('limit')).toHaveLength(1);
  });
});
