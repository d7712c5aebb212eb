// The main path on real input: the real Codex CLI, driven by the built `mur`, against the scripted model.
import path from 'node:path';
import { type ModelServer, startModelServer } from '@murmur-tools/model-server';
import { codexHome, ensureHarness } from '@murmur-tools/real-harnesses';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  codexDriver,
  makeHome,
  makeProject,
  type Project,
  removeAll,
  type TraceLine,
} from './support/project.js';

let home: string;
let codex: string;
let model: ModelServer;
let project: Project;

beforeAll(async () => {
  home = makeHome();
  codex = await ensureHarness('codex');
  model = await startModelServer();
});

afterAll(async () => {
  await model.close();
  removeAll(home);
});

/** Points Codex's own configuration, in the fixture home, at one script of the model server. */
const useModel = (script: string, tag: string): Promise<unknown> =>
  codexHome(path.join(home, '.codex'), model.urlFor(script, tag));

beforeEach(async () => {
  project = makeProject({
    home,
    manifest: {
      name: 'codex-case',
      version: '0.1.0',
      artifacts: [{ name: 'murmur-driver-codex', version: '0.1.0', runtime: 'driver' }],
      inference: { transport: 'process', command: codex, driver: { artifact: 'murmur-driver-codex' } },
      lifecycle: { conversation: 'threaded' },
      capabilities: {
        env: { allow: ['HOME', 'PATH'] },
        network: { allow: ['api.openai.com', 'auth.openai.com', 'chatgpt.com', '127.0.0.1'] },
        harness: { paths: [{ path: '~/.codex', access: 'read-write' }] },
      },
    },
  });
  const installed = await project.run(['install', codexDriver]);
  expect(installed.stderr + installed.stdout).toContain('murmur-driver-codex@0.1.0');
  expect(installed.code).toBe(0);
  return () => removeAll(project.directory);
});

const kinds = (trace: readonly TraceLine[]): string[] => trace.map((line) => line.event_type);
const only = (trace: readonly TraceLine[], kind: string): TraceLine => {
  const found = trace.filter((line) => line.event_type === kind);
  expect(found, kind).toHaveLength(1);
  return found[0] as TraceLine;
};

describe('the real Codex', () => {
  test('answers a task, and the trace holds what the model server sent', async () => {
    await useModel('ping', 'answer');
    const result = await project.run(['run', '--task', 'When I say ping you say?']);
    expect(result.stderr).toContain('status:  ok');
    expect(result.stdout).toBe('pong\n');
    expect(result.code).toBe(0);
    expect(project.result()).toBe('pong');
    expect(model.requestsOf('answer')).toHaveLength(1);

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
      driver: 'murmur-driver-codex',
      driver_version: '0.1.0',
      harness: 'codex',
      binary: codex,
      binary_source: 'inference.command',
      harness_version: 'codex-cli 0.171.0',
      version_tested: true,
      session_mode: 'new',
      env_names: expect.arrayContaining(['HOME', 'PATH']),
    });
    // 1020 of which 900 came from the cache: `input` is what the cache does not cover.
    expect(only(trace, 'inference')).toMatchObject({
      turn: 0,
      input_tokens: 120,
      output_tokens: 27,
      cached_tokens: 900,
      decision: 'end_turn',
    });
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
    expect(only(trace, 'harness_session').harness_session_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('resumes the context: the second request holds the first task', async () => {
    await useModel('recall', 'resume');
    expect((await project.run(['run', '--context', 'talk', '--task', 'Remember the word heron.'])).code).toBe(
      0,
    );
    const first = only(project.trace(), 'harness_session').harness_session_id;
    const second = await project.run(['run', '--context', 'talk', '--task', 'Which word?']);
    expect(second.code).toBe(0);
    expect(only(project.trace(), 'harness_start')).toMatchObject({
      session_mode: 'resume',
      harness_session_id: first,
    });
    expect(model.requestsOf('resume').at(-1)?.userTexts.join('\n')).toContain('Remember the word heron.');
    expect(second.stdout).toContain('heron');
    // Its totals of a resumed thread have no baseline: absent with a note, never a wrong figure.
    const inference = only(project.trace(), 'inference');
    expect(inference).not.toHaveProperty('input_tokens');
    expect(
      project
        .trace()
        .filter((line) => line.event_type === 'harness_note')
        .map((line) => line.text)
        .join('\n'),
    ).toMatch(/usage|totals/i);

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

  test('SIGINT interrupts it: canceled, exit 1, nothing left behind', async () => {
    await useModel('slow', 'cancel');
    const running = project.start(['run', '--task', 'Count slowly.']);
    await model.seen('cancel', 1);
    running.child.kill('SIGINT');
    const result = await running.ended;
    expect(result.stderr).toContain('error[E-RUN-040]');
    expect(result.stderr).toContain('status:  canceled');
    expect(result.code).toBe(1);
    const trace = project.trace();
    expect(only(trace, 'harness_interrupt')).toMatchObject({
      method: 'signal-int',
      delivered: true,
      grace_ms: 10000,
    });
    expect(only(trace, 'harness_exit')).toMatchObject({ cause: 'canceled' });
    expect(only(trace, 'task_canceled')).toMatchObject({ phase: 'harness' });
    expect(only(trace, 'session_end')).toMatchObject({ exit_status: 'canceled' });
  });

  test('thinking reaches the stream, not the answer', async () => {
    await useModel('think', 'thinking');
    const result = await project.run(['run', '--json', '--task', 'What is two and two?']);
    expect(result.code).toBe(0);
    const lines = result.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines[0]).toMatchObject({
      name: 'codex-case',
      version: '0.1.0',
      url: null,
      session_id: expect.stringMatching(/^ses_[0-9a-f]{32}$/),
    });
    expect(lines.at(-1)).toMatchObject({
      event_type: 'result',
      exit_status: 'ok',
      result: 'The answer is four.',
    });
    expect(lines.some((line) => line.event_type === 'stream' && line.frame === 'thinking')).toBe(true);
  });

  test('a refused key ends the turn as an authentication failure', async () => {
    await useModel('e401', 'refused');
    const result = await project.run(['run', '--task', 'anything']);
    expect(result.stderr).toContain('error[E-RUN-033]');
    expect(only(project.trace(), 'harness_failed')).toMatchObject({ kind: 'auth', source: 'harness' });
    expect(result.code).toBe(1);
  });
});
