import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { type ModelServer, startModelServer } from '@murmur-tools/model-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codexHome } from './codex-home.js';
import { ensureHarness } from './ensure-harness.js';
import { startMcpEcho } from './mcp-echo.testkit.js';
import { pinOf } from './pins.js';

const FLAGS = ['exec', '--json', '--skip-git-repo-check', '--disable', 'plugins', '--disable', 'apps'];

let codex: string;
let model: ModelServer;
let root: string;

beforeAll(async () => {
  codex = await ensureHarness('codex');
  model = await startModelServer();
  root = await mkdtemp(join(tmpdir(), 'real-harness-'));
  await mkdir(join(root, 'work'));
});
afterAll(async () => {
  await model?.close();
  if (root !== undefined) await rm(root, { recursive: true, force: true });
});

/** A home whose Codex asks the given script. */
async function homeFor(script: string, tag: string): Promise<string> {
  const home = join(root, 'home');
  await codexHome(join(home, '.codex'), model.urlFor(script, tag));
  return home;
}

type Event = { readonly type: string; readonly [key: string]: unknown };

interface CodexRun {
  readonly events: readonly Event[];
  readonly code: number | null;
}

async function run(
  home: string,
  task: string,
  args: readonly string[] = [],
  onEvent?: OnEvent,
): Promise<CodexRun> {
  const child = spawn(codex, [...FLAGS, '-c', 'analytics.enabled=false', ...args, '-'], {
    cwd: join(root, 'work'),
    env: { HOME: home, PATH: process.env.PATH ?? '' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.end(task);
  const events: Event[] = [];
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  for await (const line of createInterface({ input: child.stdout })) {
    const event = JSON.parse(line) as Event;
    events.push(event);
    await onEvent?.(event, () => child.kill('SIGINT'));
  }
  return { events, code: await ended };
}

type OnEvent = (event: Event, interrupt: () => void) => unknown;

const answers = (events: readonly Event[]): unknown[] =>
  events
    .map((event) => event.item as { type?: string; text?: string } | undefined)
    .filter((item) => item?.type === 'agent_message')
    .map((item) => item?.text);

describe('the real Codex against the scripted model', () => {
  it('is the pinned version', async () => {
    const { stdout } = await promisify(execFile)(codex, ['--version'], { env: { HOME: root } });
    expect(stdout).toContain(pinOf('codex').version);
  });

  it('answers and reports the counts that the model sent', async () => {
    const { events, code } = await run(await homeFor('echo', 'answer'), 'When I say ping you say?');
    expect(code).toBe(0);
    expect(answers(events)).toEqual(['pong']);
    expect(events.at(-1)).toMatchObject({
      type: 'turn.completed',
      usage: { input_tokens: 1020, cached_input_tokens: 900, output_tokens: 27 },
    });
    expect(model.requestsOf('answer')[0]?.headers.authorization).toBe('Bearer mock-token');
  });

  it('reasons, and runs a command the model asked for', async () => {
    const thought = await run(await homeFor('think', 'think'), 'What is two and two?');
    expect(thought.events).toContainEqual(
      expect.objectContaining({
        item: expect.objectContaining({ type: 'reasoning', text: 'Two and two make four.' }),
      }),
    );
    const { events, code } = await run(await homeFor('bash', 'bash'), 'Look around.', [
      '-s',
      'danger-full-access',
    ]);
    expect(code).toBe(0);
    expect(JSON.stringify(events)).toContain('shell-ok');
    const [, second] = model.requestsOf('bash');
    expect(second?.body).toContain('function_call_output');
    expect(second?.body).toContain('shell-ok');
  });

  it('calls the tools of an MCP server, two at once', async () => {
    const mcp = await startMcpEcho();
    try {
      const home = await homeFor('tools2', 'mcp');
      const server = [`url=${JSON.stringify(mcp.url)}`, 'default_tools_approval_mode="approve"'].join(',');
      const { events, code } = await run(home, 'Call it.', ['-c', `mcp_servers.mur={${server}}`]);
      expect(code).toBe(0);
      const done = events
        .filter(({ type }) => type === 'item.completed')
        .map(({ item }) => item as { type: string; tool?: string; result?: { content: { text: string }[] } })
        .filter(({ type }) => type === 'mcp_tool_call');
      expect(done.map(({ tool, result }) => [tool, result?.content[0]?.text])).toEqual([
        ['echo', 'echo: ping-1'],
        ['echo', 'echo: ping-2'],
      ]);
      expect(answers(events).at(-1)).toBe('The answer is four.');
    } finally {
      mcp.close();
    }
  });

  it('resumes: the second request holds the first task', async () => {
    const first = await run(await homeFor('plain', 'resume'), 'Remember the heron.');
    const id = String(first.events[0]?.thread_id);
    const second = await run(await homeFor('plain', 'resume'), 'Which bird?', ['resume', id]);
    expect(second.code).toBe(0);
    expect(second.events[0]).toMatchObject({ type: 'thread.started', thread_id: id });
    const texts = model.requestsOf('resume').at(-1)?.userTexts ?? [];
    expect(texts).toEqual(expect.arrayContaining(['Remember the heron.', 'Which bird?']));
  });

  it('ends on SIGINT while the model is silent', async () => {
    const home = await homeFor('stall', 'interrupt');
    const { events, code } = await run(home, 'Wait for me.', [], async (event, interrupt) => {
      if (event.type !== 'turn.started') return;
      await model.seen('interrupt', 1);
      interrupt();
    });
    expect(code).toBe(1);
    expect(events.at(-1)).toMatchObject({ type: 'turn.started' });
  });

  it.each([
    ['e401', '401'],
    ['e429', '429'],
    ['quota', 'Quota exceeded'],
    ['e500', 'high demand'],
    ['cut', 'disconnected'],
  ])('reports %s as a failed turn', async (script, part) => {
    const { events, code } = await run(await homeFor(script, script), 'Hello.');
    expect(code).toBe(1);
    expect(events.at(-1)).toMatchObject({
      type: 'turn.failed',
      error: { message: expect.stringContaining(part) },
    });
  });
});
