// How a task can end: each failure of a turn happens for real, with complete records behind it.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { driverArtifact, event, type FakeCase, fakeProject } from './support/fake.js';
import { processesWith, remaining } from './support/processes.js';
import { makeHome, type Project, removeAll, type TraceLine } from './support/project.js';
import { type Raised, raises, somewhere } from './support/raises.js';

let home: string;
const projects: Project[] = [];

beforeAll(() => {
  home = makeHome();
});

afterAll(() => removeAll(home, ...projects.map(({ directory }) => directory)));

const fake = async (options: Omit<FakeCase, 'home'> = {}): Promise<Project> => {
  const project = await fakeProject({ home, ...options });
  projects.push(project);
  return project;
};

const artifactFields = { name: driverArtifact.name, version: driverArtifact.version };
const session = event('session-started', { id: 'harness-1', auth: 'subscription' });
const only = (trace: readonly TraceLine[], kind: string): TraceLine | undefined =>
  trace.find((line) => line.event_type === kind);

/** Runs to a failed end; its records must be complete, and nothing may be left running. */
async function failed(
  project: Project,
  condition: Raised['condition'],
  args: readonly string[] = ['--task', 'x'],
): Promise<Raised> {
  const result = await project.run(['run', ...args]);
  const trace = project.trace();
  expect(trace[0]?.event_type).toBe('session_start');
  expect(trace.at(-1)?.event_type).toBe('session_end');
  expect(only(trace, 'task_failed')).toMatchObject({ cause: 'runtime_error' });
  expect(project.result()).toMatch(/^error: /);
  expect(result.stdout).toBe('');
  expect(readdirSync(path.join(home, '.murmur/sessions'))).toEqual([]);
  return { result, condition };
}

describe('a driver call that fails', () => {
  raises('ProcessDriverCallFailed', 'launch refuses', async () => {
    const project = await fake({ config: { launch: 'refuse' } });
    return failed(project, {
      variant: 'ProcessDriverCallFailed',
      ...artifactFields,
      call: 'launch',
      message: somewhere(/[^\n]+/),
    });
  });
  raises('ProcessDriverCallFailed', 'launch traps', async () => {
    const project = await fake({ config: { launch: 'trap' } });
    return failed(project, {
      variant: 'ProcessDriverCallFailed',
      ...artifactFields,
      call: 'launch',
      message: somewhere(/[\s\S]*trap[\s\S]*/),
    });
  });
  raises('ProcessDriverCallFailed', 'launch plans a file name that leads elsewhere', async () => {
    const project = await fake({ config: { files: [{ name: '../escape', contents: 'x' }] } });
    const raised = await failed(project, {
      variant: 'ProcessDriverCallFailed',
      ...artifactFields,
      call: 'launch',
      message: somewhere(/[^\n]*\.\.\/escape[^\n]*/),
    });
    expect(existsSync(path.join(home, '.murmur/sessions/escape'))).toBe(false);
    return raised;
  });
  raises('ProcessDriverCallFailed', 'parse traps', async () => {
    const project = await fake({ config: { parse: 'trap' }, script: [{ print: 'a line' }, { hang: true }] });
    return failed(project, {
      variant: 'ProcessDriverCallFailed',
      ...artifactFields,
      call: 'parse',
      message: somewhere(/[\s\S]*trap[\s\S]*/),
    });
  });
  raises('ProcessDriverCallFailed', 'classify-exit traps', async () => {
    const project = await fake({ config: { classify_exit: 'trap' }, script: [{ exit: 3 }] });
    return failed(project, {
      variant: 'ProcessDriverCallFailed',
      ...artifactFields,
      call: 'classify-exit',
      message: somewhere(/[\s\S]*trap[\s\S]*/),
    });
  });
  raises('ProcessDriverCallFailed', 'classify-exit answers with an event that ends nothing', async () => {
    const project = await fake({
      config: { classify_exit: { tag: 'note', val: 'not an end' } },
      script: [{ exit: 3 }],
    });
    return failed(project, {
      variant: 'ProcessDriverCallFailed',
      ...artifactFields,
      call: 'classify-exit',
      message: somewhere(/[^\n]+/),
    });
  });
  raises(
    'ProcessDriverCallFailed',
    'parse does not return within its deadline',
    async () => {
      const project = await fake({
        config: { parse: 'hang' },
        script: [{ print: 'a line' }, { hang: true }],
      });
      return failed(project, {
        variant: 'ProcessDriverCallFailed',
        ...artifactFields,
        call: 'parse',
        message: somewhere(/[^\n]*30[^\n]*/),
      });
    },
    90_000,
  );
});

describe('a turn that fails', () => {
  for (const kind of ['auth', 'quota', 'max-turns', 'canceled', 'harness-error', 'other'] as const) {
    raises('HarnessTurnFailed', `the harness reports each kind: ${kind}`, async () => {
      const project = await fake({
        script: [session, event('turn-failed', { kind, message: `why ${kind}` })],
      });
      const raised = await failed(project, {
        variant: 'HarnessTurnFailed',
        kind,
        message: `why ${kind}`,
        origin: 'harness',
      });
      expect(only(project.trace(), 'harness_failed')).toMatchObject({
        kind,
        message: `why ${kind}`,
        source: 'harness',
      });
      return raised;
    });
  }

  raises('HarnessTurnFailed', "the runtime stops the harness at the manifest's turn budget", async () => {
    const turn = (id: string) => [
      event('tool-call', { id, name: 'echo', input: '{}' }),
      event('tool-result', { id, output: 'ok', isError: false }),
    ];
    const project = await fake({
      script: [session, ...turn('first'), ...turn('second'), event('text', 'a third'), { hang: true }],
      change: (manifest) => Object.assign(manifest.inference, { max_turns: 2 }),
    });
    const raised = await failed(project, {
      variant: 'HarnessTurnFailed',
      kind: 'max-turns',
      message: somewhere(/[^\n]+/),
      origin: 'runtime',
    });
    expect(only(project.trace(), 'harness_exit')).toMatchObject({ cause: 'max_turns', killed: true });
    expect(only(project.trace(), 'session_end')).toMatchObject({
      exit_status: 'max_turns_reached',
      total_turns: 2,
    });
    return raised;
  });

  raises('HarnessTurnFailed', 'the output ends without an end of the turn', async () => {
    const project = await fake({ script: [session, { stderr: 'went away\n' }, { exit: 7 }] });
    return failed(project, {
      variant: 'HarnessTurnFailed',
      kind: somewhere(/[a-z-]+/) as 'other',
      message: somewhere(/[\s\S]*went away[\s\S]*/),
      origin: 'harness',
    });
  });

  raises('HarnessSessionGone', 'the harness cannot continue the session it is handed', async () => {
    const threaded = (manifest: { [key: string]: unknown }): void =>
      void Object.assign(manifest, { lifecycle: { conversation: 'threaded' } });
    const context = ['--context', 'gone', '--task', 'x'];
    const first = await fake({
      script: [session, event('text', 'hello'), event('turn-end', 'hello')],
      change: threaded,
    });
    expect((await first.run(['run', ...context])).code).toBe(0);
    const script = [{ stderr: 'no such session\n' }, { exit: 1 }];
    const project = await fake({ script, change: threaded });
    const map = path.join(home, '.murmur/conversations/fake-case/gone/harness-session.json');
    const condition: Raised['condition'] = {
      variant: 'HarnessSessionGone',
      context_id: 'gone',
      session_id: 'harness-1',
      harness: 'fake',
      path: map,
      detail: somewhere(/[\s\S]*no such session[\s\S]*/),
    };
    await failed(project, condition, context);
    // The entry stays until a person drops it: the next run fails alike.
    const raised = await failed(project, condition, context);
    expect(JSON.parse(readFileSync(map, 'utf8'))).toMatchObject({
      type: 'murmur.harness-session',
      session_id: 'harness-1',
    });
    const forgotten = await first.run(['run', '--forget-session', ...context]);
    expect(forgotten.stderr).toContain('status:  ok');
    return raised;
  });

  raises('ProcessHarnessInactive', 'the harness is silent for a whole window', async () => {
    const project = await fake({
      script: [session, { stderr: 'this is no sign of life\n' }, { hang: true }],
    });
    const entry = path.join(import.meta.dirname, 'support/fast-clock.mjs');
    const result = await project.run(['run', '--task', 'x'], { entry });
    expect(only(project.trace(), 'harness_exit')).toMatchObject({ cause: 'inactivity', killed: true });
    return { result, condition: { variant: 'ProcessHarnessInactive', seconds: 600 } };
  });
});

describe('a person who ends it', () => {
  const hanging = [session, event('text', 'first words'), { hang: true }];

  raises('TaskDidNotComplete', 'the first Ctrl-C interrupts the turn', async () => {
    const project = await fake({
      script: [
        session,
        event('text', 'working'),
        {
          on_signal: 'SIGINT',
          steps: [event('turn-failed', { kind: 'canceled', message: 'stopped' }), { exit: 0 }],
        },
        { hang: true },
      ],
    });
    const running = project.start(['run', '--json', '--task', 'x']);
    await running.saw('"harness_session"');
    running.child.kill('SIGINT');
    const result = await running.ended;
    expect(only(project.trace(), 'harness_interrupt')).toMatchObject({
      method: 'signal-int',
      delivered: true,
    });
    expect(only(project.trace(), 'session_end')).toMatchObject({ exit_status: 'canceled' });
    return {
      result,
      condition: { variant: 'TaskDidNotComplete', exit_status: 'canceled', reason: somewhere(/[^\n]+/) },
    };
  });

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    test(`the second ${signal} kills at once: exit ${code}, nothing left`, async () => {
      const project = await fake({ script: [{ ignore: ['SIGINT', 'SIGTERM'] }, ...hanging] });
      const running = project.start(['run', '--json', '--task', 'x']);
      await running.saw('"harness_session"');
      running.child.kill(signal);
      await running.saw('interrupting');
      running.child.kill(signal);
      expect((await running.ended).code).toBe(code);
      expect(await remaining(() => processesWith(project.directory), 5_000)).toEqual([]);
    });
  }

  test('a harness that cannot be interrupted is killed, and the run ends canceled', async () => {
    const project = await fake({ variant: 'interrupt-unsupported', script: hanging });
    const running = project.start(['run', '--json', '--task', 'x']);
    await running.saw('"harness_session"');
    running.child.kill('SIGINT');
    const result = await running.ended;
    expect(result.code).toBe(1);
    expect(only(project.trace(), 'harness_exit')).toMatchObject({ cause: 'canceled', killed: true });
    expect(only(project.trace(), 'harness_interrupt')).toMatchObject({
      method: 'unsupported',
      delivered: false,
      grace_ms: 0,
    });
  });
});

describe('what is never told', () => {
  test('values of the environment reach neither output nor records', async () => {
    const canary = 'canary-8c1f0b';
    const project = await fake({
      env: { FAKE_SECRET_VALUE: canary, NOT_ALLOWED: `${canary}-outside` },
      script: [session, { stderr: 'x' }, event('turn-failed', { kind: 'other', message: 'no' })],
      change: (manifest) => manifest.capabilities.env.allow.push('FAKE_SECRET_VALUE'),
    });
    const result = await project.run(['run', '--json', '--task', 'x']);
    const records = project.records().at(-1) ?? '';
    const kept = readdirSync(records, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'));
    expect([result.stdout, result.stderr, ...kept].join('\n')).not.toContain(canary);
    expect(only(project.trace(), 'harness_start')?.env_names).toContain('FAKE_SECRET_VALUE');
  });

  test('a name that is not allowed does not reach the harness', async () => {
    const project = await fake({ env: { NOT_ALLOWED: 'x' } });
    project.writeManifest(
      JSON.parse(
        readFileSync(path.join(project.directory, 'murmur.yaml'), 'utf8').replace(
          '"script": [',
          `"script": [{"snapshot": ${JSON.stringify(path.join(project.directory, 'seen.json'))}},`,
        ),
      ),
    );
    expect((await project.run(['run', '--task', 'x'])).code).toBe(0);
    const seen = JSON.parse(readFileSync(path.join(project.directory, 'seen.json'), 'utf8')) as {
      env: Record<string, string>;
      descriptors: unknown;
    };
    expect(Object.keys(seen.env).sort()).toEqual(['HOME', 'PATH']);
  });
});

test('a conversation whose file cannot be kept is told, by name, and the task runs', async () => {
  const project = await fake({
    script: [session, event('turn-end', 'fine')],
    change: (manifest) => Object.assign(manifest, { name: 'forgetful' }),
  });
  const map = path.join(home, '.murmur/conversations/forgetful/talk/harness-session.json');
  mkdirSync(map, { recursive: true });
  const result = await project.run(['run', '--context', 'talk', '--task', 'x']);
  expect(result.stderr).toMatch(/warning\[W-RUN-902\][^\n]*'talk'/);
  expect(result.stdout).toBe('fine\n');
  expect(result.code).toBe(0);
});
