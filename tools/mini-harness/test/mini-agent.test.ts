import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type ModelServer, startModelServer } from '@murmur-tools/model-server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const AGENT = fileURLToPath(new URL('../bin/mini-agent.mjs', import.meta.url));

let model: ModelServer;
let home: string;
let work: string;
let runs = 0;

beforeAll(async () => {
  model = await startModelServer();
});
afterAll(() => model.close());
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'mini-agent-'));
  work = join(home, 'work');
  await mkdir(work);
});
afterEach(() => rm(home, { recursive: true, force: true }));

type Line = { readonly type: string; readonly [key: string]: unknown };

interface Run {
  readonly code: number | null;
  readonly lines: readonly Line[];
  readonly stderr: string;
  readonly tag: string;
}

interface RunOptions {
  readonly script?: string;
  readonly stdin?: string;
  /** Leaves stdin open; the function gets each line and a way to write to it. */
  readonly onLine?: (line: Line, write: (text: string) => void, interrupt: () => void) => void;
}

async function run(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  runs += 1;
  const tag = `run-${runs}`;
  const child = spawn(process.execPath, [AGENT, ...args], {
    cwd: work,
    env: { HOME: home, MINI_BASE_URL: model.urlFor(options.script ?? 'echo', tag) },
  });
  if (options.stdin !== undefined) child.stdin.write(options.stdin);
  if (options.onLine === undefined) child.stdin.end();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const lines: Line[] = [];
  for await (const text of createInterface({ input: child.stdout })) {
    const line = args[0] === 'run' ? (JSON.parse(text) as Line) : { type: text };
    lines.push(line);
    options.onLine?.(
      line,
      (more) => child.stdin.write(more),
      () => child.kill('SIGINT'),
    );
  }
  return { code: await ended, lines, stderr, tag };
}

const ofType = (lines: readonly Line[], type: string): Line[] => lines.filter((line) => line.type === type);
const textTask = (text: string): string => `${JSON.stringify({ type: 'task', text })}\n`;

describe('mini-agent', () => {
  it('says its version and whether it is logged in', async () => {
    expect((await run(['--version'])).lines).toEqual([{ type: 'mini-agent 1.0.0' }]);
    const out = await run(['login', 'status']);
    expect(out).toMatchObject({ code: 1, lines: [], stderr: 'Not logged in\n' });
    await mkdir(join(home, '.mini-agent'));
    await writeFile(join(home, '.mini-agent/login.json'), '{"key":"k-1"}');
    expect(await run(['login', 'status'])).toMatchObject({ code: 0, lines: [{ type: 'Logged in' }] });
    const answer = await run(['run'], { stdin: 'hi' });
    expect(answer.lines[0]).toMatchObject({ auth: 'api-key' });
    expect(model.requestsOf(answer.tag)[0]?.headers['x-api-key']).toBe('k-1');
  });

  it('answers', async () => {
    const { code, lines } = await run(['run', '--session', 's1'], { stdin: 'When I say ping you say?' });
    expect(lines).toEqual([
      { type: 'session', id: 's1', model: 'mini-1', auth: 'none' },
      { type: 'delta', message: expect.stringMatching(/^msg_/), text: 'pong' },
      { type: 'usage', input: 120, output: 27, cache_read: 900, cache_write: 30 },
      { type: 'message', message: expect.stringMatching(/^msg_/), text: 'pong' },
      { type: 'done', answer: 'pong' },
    ]);
    expect(code).toBe(0);
  });

  it('ends by itself while stdin is open as a control channel', async () => {
    const { code, lines } = await run(['run'], { stdin: textTask('a\nb "c"'), onLine: () => undefined });
    expect(code).toBe(0);
    expect(lines.at(-1)).toEqual({ type: 'done', answer: 'You said: a\nb "c"' });
  });

  it('sends the system prompt and the model of choice', async () => {
    await writeFile(join(work, 'system.md'), 'Be brief.\n');
    const args = ['run', '--model', 'mini-9', '--system-prompt-file', 'system.md'];
    const { lines, tag } = await run(args, { stdin: 'hi' });
    expect(lines[0]).toMatchObject({ model: 'mini-9' });
    expect(model.requestsOf(tag)[0]?.json).toMatchObject({
      model: 'mini-9',
      system: 'Be brief.\n',
      stream: true,
    });
  });

  it('resumes with everything said so far', async () => {
    await run(['run', '--session', 's1'], { stdin: 'Remember the heron.' });
    const { lines } = await run(['run', '--resume', 's1'], { script: 'recall', stdin: 'Which bird?' });
    expect(lines.at(-1)).toEqual({ type: 'done', answer: '[Remember the heron.] [Which bird?]' });
  });

  it.each([
    [['run', '--resume', 'gone'], 'No session found with id gone\n'],
    [['run', '--resume', '../x'], 'Not a session id: ../x\n'],
    [['fly'], 'Unknown command: fly\n'],
    [['run'], 'No task on stdin\n'],
  ])('refuses %j before it prints anything', async (args, stderr) => {
    expect(await run(args)).toMatchObject({ code: 1, lines: [], stderr });
  });

  it('refuses a new session under an id that exists', async () => {
    await run(['run', '--session', 's1'], { stdin: 'x' });
    expect(await run(['run', '--session', 's1'], { stdin: 'x' })).toMatchObject({
      code: 1,
      lines: [],
      stderr: 'Session s1 already exists\n',
    });
  });

  it('calls tools and adds up usage over the process', async () => {
    await writeFile(join(work, 'note.txt'), 'a note');
    const { lines, code } = await run(['run'], { script: 'read', stdin: 'Read it.' });
    expect(code).toBe(0);
    const [call] = ofType(lines, 'tool_call');
    expect(call).toEqual({
      type: 'tool_call',
      id: expect.any(String),
      name: 'read_file',
      input: { path: 'note.txt' },
    });
    expect(ofType(lines, 'tool_result')).toEqual([
      { type: 'tool_result', id: call?.id, output: 'a note', error: false },
    ]);
    expect(ofType(lines, 'usage').map(({ input, output }) => [input, output])).toEqual([
      [120, 27],
      [240, 54],
    ]);
    await run(['run'], { script: 'write', stdin: 'Write it.' });
    expect(await readFile(join(work, 'written.txt'), 'utf8')).toBe('written\n');
  });

  it('keeps its tools below the working directory, links included', async () => {
    await writeFile(join(home, 'secret'), 'secret');
    await symlink(join(home, 'secret'), join(work, 'note.txt'));
    const { lines } = await run(['run'], { script: 'read', stdin: 'Read it.' });
    expect(ofType(lines, 'tool_result')[0]).toMatchObject({
      error: true,
      output: 'note.txt lies outside the working directory',
    });
    await symlink(join(home, 'made'), join(work, 'written.txt'));
    const writing = await run(['run'], { script: 'write', stdin: 'Write it.' });
    expect(ofType(writing.lines, 'tool_result')[0]).toMatchObject({ error: true });
    expect(existsSync(join(home, 'made'))).toBe(false);
  });

  it('thinks aloud', async () => {
    const { lines } = await run(['run'], { script: 'think', stdin: 'x' });
    expect(ofType(lines, 'thinking').map(({ text }) => text)).toEqual([
      'Two ',
      'and ',
      'two ',
      'make ',
      'four.',
    ]);
  });

  it.each([
    ['e429x2', [1, 2]],
    ['midcut', [1]],
  ])('repeats a call after %s', async (script, attempts) => {
    const { lines, code } = await run(['run'], { script, stdin: 'x' });
    expect(ofType(lines, 'retry').map(({ attempt }) => attempt)).toEqual(attempts);
    expect(lines.at(-1)).toMatchObject({ type: 'done', answer: 'The answer is four.' });
    expect(code).toBe(0);
  });

  it.each([
    ['e401', 'auth', []],
    ['e403', 'auth', []],
    ['quota', 'quota', []],
    ['e529', 'error', []],
    ['e400', 'error', []],
    ['cutclean', 'error', []],
    ['maxtokens', 'error', []],
    ['loop', 'max-turns', ['--max-steps', '2']],
  ])('fails after %s with kind %s', async (script, kind, args) => {
    const { lines, code } = await run(['run', ...args], { script, stdin: 'x' });
    expect(lines.at(-1)).toMatchObject({ type: 'failed', kind, message: expect.stringMatching(/./) });
    expect(code).toBe(1);
  });

  it.each(['line', 'SIGINT'])('stops gracefully on an interrupt by %s, and can be resumed', async (how) => {
    const { lines, code } = await run(['run', '--session', 'i1'], {
      script: 'stall',
      stdin: textTask('Go.'),
      onLine: (line, write, interrupt) => {
        if (line.type !== 'delta') return;
        if (how === 'line') write('{"type":"interrupt"}\n');
        else interrupt();
      },
    });
    expect(lines.at(-1)).toEqual({ type: 'failed', kind: 'canceled', message: 'interrupted' });
    expect(code).toBe(1);
    const resumed = await run(['run', '--resume', 'i1'], { script: 'recall', stdin: 'On.' });
    expect(resumed.lines.at(-1)).toEqual({ type: 'done', answer: '[Go.] [On.]' });
    expect(existsSync(join(home, '.mini-agent/sessions/i1.json.new'))).toBe(false);
  });
});
