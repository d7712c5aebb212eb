import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { close, event, fakeAgent, filesLeft, hang, scratch, startRun, turnEnd } from './support/host.js';

afterAll(close);
const ready = event('note', 'ready');
const token = 'f00dfeedf00dfeedf00dfeedf00dfeed';
const bridge = {
  serverName: 'murmur',
  url: 'http://127.0.0.1:1/bridge',
  bearerToken: token,
  toolNames: ['grep', 'find'],
};
describe('what the driver is asked', () => {
  test('is everything it needs, byte for byte', async () => {
    const asked: unknown[] = [];
    const told = { systemPrompt: 'line one\n"two" – ünï', task: `task ${'😀'.repeat(100)}\r\n'"$` };
    const file = join(scratch, 'request.json');
    const copy = `cp "$1" ${file}; echo '{"event":{"tag":"turn-end","val":""}}'`;
    const run = await startRun([], {
      request: { ...told, model: 'm-1', bridge },
      session: { mode: 'resume', id: 'earlier', remember: true },
      binary: { path: '/bin/sh', source: 'inference.command' },
      config: { script: undefined, args: ['-c', copy, 'sh', '{files_dir}/request.json'], request_file: true },
      instance: (inner) => ({
        ...inner,
        launch(request) {
          asked.push(request);
          return inner.launch(request);
        },
      }),
    });
    expect(await run.outcome).toMatchObject({ status: 'completed' });
    expect(asked).toMatchObject([
      {
        ...told,
        model: 'm-1',
        bridge,
        session: { mode: 'resume', id: 'earlier' },
        harnessVersion: 'fake-agent 1.0.0',
      },
    ]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ ...told, model: 'm-1', bridge });
    expect(run.of('harness_start')).toMatchObject([
      {
        files: ['request.json'],
        bridge_tools: ['grep', 'find'],
        session_mode: 'resume',
        harness_session_id: 'earlier',
      },
    ]);
  });

  test.each([
    ['  m-1 ', 'm-1'],
    ['', null],
    [' \t', null],
    [null, null],
  ])('model %j is handed over as %j', async (model, handed) => {
    const asked: unknown[] = [];
    const run = await startRun([turnEnd()], {
      request: { model },
      instance: (inner) => ({
        ...inner,
        launch(launch) {
          asked.push(launch);
          return inner.launch(launch);
        },
      }),
    });
    await run.outcome;
    expect(asked).toMatchObject([
      { model: handed, session: { id: 'offered-id', mode: 'new' }, bridge: null, task: 'the task' },
    ]);
  });

  test('a configuration that was not written is absent, and what the driver then plans is run', async () => {
    const run = await startRun([], {
      config: null,
      env: { PATH: process.env.PATH ?? '', FAKE_SCRIPT_JSON: JSON.stringify([turnEnd('env')]) },
    });
    expect(await run.outcome).toMatchObject({ status: 'completed', result: 'env' });
  });
});

describe('the files directory', () => {
  test('is private, holds the plan’s files, and its path stands where the plan says', async () => {
    const run = await startRun([ready, { read_all: true }, turnEnd()], {
      config: {
        keep_stdin_open: true,
        files: [{ name: 'mcp config.json', contents: 'hällo {files_dir}' }],
        args: ['--config', 'x:{files_dir}/mcp config.json:{files_dir}'],
        env: [
          ['CONFIG_HOME', '{files_dir}/sub'],
          ['LITERAL', '{files_di}'],
        ],
      },
    });
    await run.recorded('harness_note');
    const { argv, env } = run.snapshot();
    const path = dirname(argv[argv.indexOf('--script') + 1] ?? '');
    expect(path).toMatch(/\/[0-9a-f]{32}$/);
    expect(dirname(path)).toBe(run.filesRoot);
    expect(argv).toContain(`x:${path}/mcp config.json:${path}`);
    expect(env).toMatchObject({ CONFIG_HOME: `${path}/sub`, LITERAL: '{files_di}' });
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(statSync(join(path, 'mcp config.json')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(path, 'mcp config.json'), 'utf8')).toBe('hällo {files_dir}');
    // The harness may fill it with whatever it likes: all of it goes.
    mkdirSync(join(path, 'deep', 'er'), { recursive: true });
    writeFileSync(join(path, 'deep', 'er', 'file'), 'x');
    run.cancel();
    await run.outcome;
    expect(filesLeft(run.filesRoot)).toEqual([]);
  });

  test.each([
    ['a path', { files: [{ name: '../evil', contents: '' }] }],
    ['a directory', { files: [{ name: '..', contents: '' }] }],
    ['nothing', { files: [{ name: '', contents: '' }] }],
    ['the same twice', { files: [{ name: 'script.json', contents: '' }] }],
    ['a variable without a name', { env: [['', 'x']] }],
    ['a variable with =', { env: [['A=B', 'x']] }],
  ])('is not even made for a plan that names %s', async (_name, config) => {
    const run = await startRun([turnEnd()], { config });
    expect((await run.outcome).error).toMatchObject({ variant: 'ProcessDriverCallFailed', call: 'launch' });
    expect(run.records).toEqual([]);
    expect(() => statSync(run.filesRoot)).toThrow();
  });

  test.each([
    ['more arguments than a process can have', { args: Array<string>(5000).fill('x') }],
    ['arguments too long together', { args: Array<string>(100).fill('x'.repeat(60_000)) }],
    [
      'more variables than a process can have',
      { env: Array.from({ length: 1100 }, (_, n) => [`V${n}`, '']) },
    ],
    ['one argument the system refuses', { args: ['x'.repeat(200_000)] }],
  ])('is removed again when a plan has %s, and the failure is told', async (_name, config) => {
    const run = await startRun([turnEnd()], { config });
    expect(await run.outcome).toMatchObject({ status: 'failed', error: expect.anything() });
    expect(filesLeft(run.filesRoot)).toEqual([]);
  });

  test('is removed when it cannot be filled, and the failure is told', async () => {
    writeFileSync(join(scratch, 'blocked'), '');
    const run = await startRun([turnEnd()], { filesRoot: join(scratch, 'blocked', 'x') });
    expect(await run.outcome).toMatchObject({ status: 'failed', error: expect.anything() });
    expect(run.records).toEqual([]);
  });
});

describe('the environment', () => {
  test('is what was granted, then what the plan sets; nothing of the runtime’s own', async () => {
    process.env.MURMUR_CANARY = 'canary-value';
    process.env.ANTHROPIC_API_KEY = 'canary-key';
    const run = await startRun([turnEnd()], {
      env: { PATH: process.env.PATH ?? '', GRANTED: 'yes', BOTH: 'granted' },
      config: {
        env: [
          ['BOTH', 'first'],
          ['BOTH', 'last'],
          ['SET', ''],
        ],
      },
    });
    delete process.env.MURMUR_CANARY;
    delete process.env.ANTHROPIC_API_KEY;
    await run.outcome;
    const { env, cwd } = run.snapshot();
    expect(env).toEqual({ PATH: process.env.PATH, GRANTED: 'yes', BOTH: 'last', SET: '' });
    expect(cwd).toBe(scratch);
    expect(run.of('harness_start')).toMatchObject([{ env_names: ['BOTH', 'GRANTED', 'PATH', 'SET'] }]);
    expect(JSON.stringify(run.records)).not.toContain('granted');
  });

  test('the record of the start holds numbers and names, never what they stand for', async () => {
    const run = await startRun([turnEnd()], {
      config: {
        args: ['--secret', 'argument-canary'],
        stdin: 'stdin-canary',
        files: [{ name: 'f', contents: 'file-canary' }],
        env: [['V', 'env-canary']],
      },
    });
    await run.outcome;
    expect(run.of('harness_start')).toEqual([
      {
        driver: 'fake',
        driver_version: '1.0.0',
        harness: 'fake',
        binary: fakeAgent,
        binary_source: 'inference.command',
        harness_version: 'fake-agent 1.0.0',
        version_tested: true,
        harness_session_id: 'offered-id',
        session_mode: 'new',
        args_count: 4,
        env_names: ['PATH', 'V'],
        files: ['script.json', 'f'],
        bridge_tools: [],
        stdin_bytes: 12,
        keep_stdin_open: false,
      },
    ]);
    expect(JSON.stringify([run.records, run.frames])).not.toContain('canary');
  });
});

describe('stdin', () => {
  test('gets the plan’s bytes and then its end', async () => {
    const file = join(scratch, 'stdin.txt');
    const run = await startRun([], {
      binary: { path: '/bin/sh', source: 'inference.command' },
      config: {
        script: undefined,
        args: ['-c', `cat > ${file}; echo '{"event":{"tag":"turn-end","val":""}}'`],
        stdin: 'täsk\n'.repeat(3000),
      },
    });
    expect(await run.outcome).toMatchObject({ status: 'completed' });
    expect(readFileSync(file, 'utf8')).toBe('täsk\n'.repeat(3000));
  });

  test('ends at once when the plan holds nothing for it', async () => {
    const run = await startRun([{ read_all: true }, turnEnd('read')]);
    expect(await run.outcome).toMatchObject({ result: 'read' });
  });

  test('a harness that talks before it listens does not block', async () => {
    const run = await startRun([{ flood: 20_000, line: 'noise {n}' }, { read_all: true }, turnEnd('read')], {
      config: { stdin: 'y'.repeat(90_000) },
    });
    expect(await run.outcome).toMatchObject({ result: 'read' });
    expect(run.of('harness_note')).toHaveLength(20_000);
  });
});

describe('the bridge’s token', () => {
  // The wrapper around every run looks for it in records, frames and warnings.
  const spill = [
    event('note', `token ${token}`),
    event('session-started', { id: token, auth: token, model: token }),
    event('retry', { attempt: 1, reason: token }),
    event('tool-call', { id: token, name: token, input: JSON.stringify({ [token]: [token] }) }),
    event('tool-result', { id: token, output: token, isError: false }),
    event('text-delta', token),
    event('thinking', token),
    event('suggested-prompt', token),
    { stderr: `${token}\n` },
  ];

  test.each([
    ['turn-end', [turnEnd(token)]],
    ['turn-failed', [event('turn-failed', { kind: 'other', message: token })]],
    ['its stderr', [{ exit: 1 }]],
  ])('is written nowhere, not even when the harness prints it and ends by %s', async (_name, last) => {
    const run = await startRun([...spill, ...last], {
      request: { bridge },
      captureToolOutput: true,
    });
    const outcome = await run.outcome;
    expect(JSON.stringify({ ...outcome, commitSessionId: null })).not.toContain(token);
    expect(JSON.stringify(run.records)).toContain('[redacted]');
  });

  test('reaches the driver', async () => {
    const asked: unknown[] = [];
    const run = await startRun([turnEnd()], {
      request: { bridge },
      instance: (inner) => ({
        ...inner,
        launch(launch) {
          asked.push(launch.bridge);
          return inner.launch(launch);
        },
      }),
    });
    await run.outcome;
    expect(asked).toEqual([bridge]);
    expect(JSON.stringify(run.snapshot().argv)).not.toContain(token);
  });
});

test('every path removes the files and kills what the harness left behind', async () => {
  const endings: readonly (readonly unknown[])[] = [
    [turnEnd()],
    [{ exit: 1 }],
    [{ kill_self: 'SIGKILL' }],
    [{ print: { driver: 'trap' } }, hang],
  ];
  for (const ending of endings) await (await startRun(ending as never, { straggler: true })).outcome;
});
