import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ModelServer, startModelServer } from '@murmur-tools/model-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { process as driver } from '../../../packages/driver-claude-code/src/index.js';
import { CLAUDE_MOCK_TOKEN, claudeHome } from '../src/claude-home.js';
import { ensureHarness } from '../src/ensure-harness.js';
import { startMcpEcho } from '../src/mcp-echo.testkit.js';
import { pinOf } from '../src/pins.js';
import { type DrivenTurn, type DriverEvent, driveTurn, type LaunchRequest, sessionOf } from './drive-turn.js';

/* The driver's own plans, carried out by the real CLI: what Claude Code refuses or prints differently shows here. */

let claude: string;
let model: ModelServer;
let root: string;
let home: string;

beforeAll(async () => {
  claude = await ensureHarness('claude-code');
  model = await startModelServer();
  root = await mkdtemp(join(tmpdir(), 'claude-driver-'));
  home = join(root, 'home');
  await claudeHome(join(home, '.claude'));
});
afterAll(async () => {
  await model?.close();
  if (root !== undefined) await rm(root, { recursive: true, force: true });
});

interface Turn {
  readonly script: string;
  readonly tag: string;
  readonly settings?: object;
  readonly request?: Partial<LaunchRequest>;
  readonly cwd?: string;
  readonly home?: string;
  readonly onEvent?: DrivenTurn['onEvent'];
}

let turns = 0;

function turn({ script, tag, settings, request, onEvent, ...more }: Turn): Promise<readonly DriverEvent[]> {
  turns += 1;
  return driveTurn({
    driver,
    binary: claude,
    home: more.home ?? home,
    cwd: more.cwd ?? join(root, 'work'),
    request: {
      config: JSON.stringify({ base_url: model.urlFor(script, tag), max_retries: 0, ...settings }),
      session: { id: `00000000-0000-4000-8000-${String(turns).padStart(12, '0')}`, mode: 'new' },
      harnessVersion: `${pinOf('claude-code').version} (Claude Code)`,
      ...request,
    },
    ...(onEvent === undefined ? {} : { onEvent }),
  });
}

interface ModelRequest {
  readonly model: string;
  readonly tools?: readonly { readonly name: string }[];
  readonly system: readonly { readonly text: string }[];
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}
const lastRequest = (tag: string): ModelRequest =>
  JSON.parse(model.requestsOf(tag).at(-1)?.body ?? '{}') as ModelRequest;
/** Names of the tools a request offered the model. */
const offered = (tag: string): readonly string[] => (lastRequest(tag).tools ?? []).map((tool) => tool.name);
const tags = (events: readonly DriverEvent[]): readonly string[] => events.map((event) => event.tag);

test('is the pinned version, which the driver names as tested', async () => {
  const { stdout } = await promisify(execFile)(claude, ['--version'], { env: { HOME: home } });
  const { version } = pinOf('claude-code');
  expect(stdout.trim()).toBe(`${version} (Claude Code)`);
  expect(driver.describe().testedVersions).toContain(version);
});

test('a new turn: streamed answer, exact counts, the prompts as given, and none of its own tools offered', async () => {
  const events = await turn({ script: 'echo', tag: 'new' });
  expect(tags(events)).toEqual(['session-started', 'text-delta', 'text', 'usage', 'turn-end']);
  expect(events.at(-1)).toEqual({ tag: 'turn-end', val: 'pong' });
  expect(events.find((event) => event.tag === 'usage')).toMatchObject({
    val: { input: 120, cacheRead: 900, cacheCreation: 30, output: 27 },
  });
  expect(model.requestsOf('new')).toHaveLength(1);
  expect(model.requestsOf('new')[0]?.headers.authorization).toBe(`Bearer ${CLAUDE_MOCK_TOKEN}`);
  const request = lastRequest('new');
  expect(request.system.at(-1)?.text).toBe('Answer in one word.');
  expect(request.messages[0]?.content).toEqual([{ type: 'text', text: 'When I say ping you say?' }]);
  expect(offered('new')).toEqual([]);
});

test('a task is only read: no command of Claude Code runs, no file it names is put into the request', async () => {
  const cwd = join(root, 'hostile');
  await mkdir(join(cwd, '.claude'), { recursive: true });
  for (const name of ['CLAUDE.md', 'AGENTS.md', 'notes.txt']) await writeFile(join(cwd, name), 'canary-file');
  await writeFile(join(home, '.claude', 'CLAUDE.md'), 'canary-memory');
  const hooks = { SessionStart: [{ hooks: [{ type: 'command', command: `touch ${join(cwd, 'hooked')}` }] }] };
  await writeFile(join(cwd, '.claude', 'settings.json'), JSON.stringify({ hooks }));
  for (const start of ['/compact ', '/init ', '!ls ', '']) {
    const tag = `read-${start.slice(1, 5).trim()}`;
    const task = `${start}@notes.txt @~/.claude/.credentials.json tell me`;
    const events = await turn({ script: 'plain', tag, cwd, request: { task } });
    expect(events.at(-1)).toEqual({ tag: 'turn-end', val: 'The answer is four.' });
    expect(lastRequest(tag).messages[0]?.content).toEqual([{ type: 'text', text: task }]);
    expect(model.requestsOf(tag)[0]?.body).not.toMatch(/canary/);
    expect(model.requestsOf(tag)[0]?.body).not.toContain(CLAUDE_MOCK_TOKEN);
  }
  expect(await readdir(cwd)).not.toContain('hooked');
});

test('prompts reach the model byte for byte, however long', async () => {
  const text = `"quotes" \\ $HOME\n\ttab é 🐦 ${'long '.repeat(40_000)}end`;
  await turn({
    script: 'plain',
    tag: 'bytes',
    request: { task: `task ${text}`, systemPrompt: `system ${text}` },
  });
  const request = lastRequest('bytes');
  expect(request.messages[0]?.content).toEqual([{ type: 'text', text: `task ${text}` }]);
  expect(request.system.at(-1)?.text).toBe(`system ${text}`);
});

test('its own tools are offered only where the manifest names them', async () => {
  const events = await turn({ script: 'bash', tag: 'own', settings: { built_in_tools: ['Bash', 'Read'] } });
  // The placeholder stands for none: Claude Code's own words are that it must never be called.
  expect(offered('own').filter((name) => name !== 'DeferredToolPlaceholder')).toEqual(['Bash', 'Read']);
  expect(events).toContainEqual({
    tag: 'tool-result',
    val: { id: expect.any(String), output: expect.stringContaining('shell-ok'), isError: false },
  });
});

test('a resumed turn continues the session in another directory, under the system prompt of now', async () => {
  const first = await turn({ script: 'plain', tag: 'resume', request: { task: 'Remember the heron.' } });
  const session = { id: sessionOf(first), mode: 'resume' as const };
  const cwd = join(root, 'elsewhere');
  const second = await turn({
    script: 'plain',
    tag: 'resume',
    cwd,
    request: { task: 'Which bird?', systemPrompt: 'Answer at length.', session },
  });
  expect(sessionOf(second)).toBe(session.id);
  expect(second.at(-1)?.tag).toBe('turn-end');
  // Claude Code's figures by model have grown to those of both turns; the turn's own have not.
  expect(second.find((event) => event.tag === 'usage')).toMatchObject({ val: { input: 120, output: 27 } });
  expect(model.requestsOf('resume').at(-1)?.userTexts).toEqual(['Remember the heron.', 'Which bird?']);
  expect(lastRequest('resume').system.at(-1)?.text).toBe('Answer at length.');
});

test('an unknown session starts nothing and names no session', async () => {
  const session = { id: '99999999-2222-4333-8444-555555555555', mode: 'resume' as const };
  const events = await turn({ script: 'plain', tag: 'unknown', request: { session } });
  expect(tags(events)).toEqual(['usage', 'turn-failed']);
  expect(events.at(-1)).toMatchObject({
    val: { kind: 'harness-error', message: expect.stringContaining('No conversation found') },
  });
  expect(model.requestsOf('unknown')).toEqual([]);
});

test('an id that is in use fails the start', async () => {
  const session = { id: sessionOf(await turn({ script: 'plain', tag: 'used' })), mode: 'new' as const };
  expect(await turn({ script: 'plain', tag: 'used', request: { session } })).toEqual([
    {
      tag: 'turn-failed',
      val: { kind: 'harness-error', message: expect.stringContaining('already in use') },
    },
  ]);
});

test.each(['driver', 'SIGINT'] as const)(
  'an interrupt (%s) ends a new turn and a resumed one as canceled, and the session goes on',
  async (how) => {
    const tag = `interrupt-${how}`;
    const interrupted = (request: Partial<LaunchRequest>) =>
      turn({
        script: 'slow',
        tag,
        request,
        onEvent(event, interrupt) {
          if (event.tag === 'text-delta' && event.val.includes('word-2')) interrupt(how);
        },
      });
    const first = await interrupted({ task: 'Count.' });
    const session = { id: sessionOf(first), mode: 'resume' as const };
    for (const events of [first, await interrupted({ task: 'Count on.', session })]) {
      expect(events.at(-1)).toMatchObject({ tag: 'turn-failed', val: { kind: 'canceled' } });
      expect(events.find((event) => event.tag === 'text')).toMatchObject({
        val: expect.stringMatching(/^word-1 word-2 /),
      });
      // The stream broke off: what was read is known, what was written is Claude Code's estimate.
      expect(events.find((event) => event.tag === 'usage')).toMatchObject({
        val: { input: 120, cacheRead: 900, cacheCreation: 30 },
      });
    }
    const next = await turn({ script: 'recall', tag, request: { task: 'Go on.', session } });
    expect(next.at(-1)).toMatchObject({ tag: 'turn-end', val: expect.stringContaining('[Count on.]') });
  },
);

test('an interrupt before the first word ends the turn, too', async () => {
  const events = await turn({
    script: 'silent',
    tag: 'early',
    async onEvent(event, interrupt) {
      if (event.tag !== 'session-started') return;
      await model.seen('early', 1);
      interrupt('driver');
    },
  });
  expect(tags(events)).toEqual(['session-started', 'usage', 'turn-failed']);
  expect(events.at(-1)).toMatchObject({ val: { kind: 'canceled' } });
});

test.each([
  ['e401', 'auth', 2],
  ['e403', 'auth', 1],
  ['e429', 'quota', 1],
  ['quota', 'quota', 1],
  ['e500', 'harness-error', 1],
  ['e529', 'harness-error', 1],
  ['cut', 'harness-error', 2],
])('%s fails the turn as %s after %i requests', async (script, kind, requests) => {
  const tag = `kind-${script}`;
  const events = await turn({ script, tag });
  expect(events.at(-1)).toMatchObject({ tag: 'turn-failed', val: { kind } });
  expect(events.some((event) => event.tag === 'text')).toBe(false);
  expect(model.requestsOf(tag)).toHaveLength(requests);
  await claudeHome(join(home, '.claude'));
});

test('a broken stream is asked for again whole, unless that is turned off', async () => {
  const events = await turn({ script: 'miderror', tag: 'fallback' });
  expect(events.filter((event) => event.tag === 'text')).toEqual([
    { tag: 'text', val: 'The answer is four.' },
  ]);
  expect(events.at(-1)).toEqual({ tag: 'turn-end', val: 'The answer is four.' });
  expect(model.requestsOf('fallback')).toHaveLength(2);
  const usage = events.find((event) => event.tag === 'usage');
  expect(usage).toMatchObject({ val: { input: 240, cacheRead: 1800, cacheCreation: 60, output: 28 } });

  const off = await turn({ script: 'cut', tag: 'no-fallback', settings: { non_streaming_fallback: false } });
  expect(off.at(-1)).toMatchObject({ tag: 'turn-failed', val: { kind: 'harness-error' } });
  expect(model.requestsOf('no-fallback')).toHaveLength(1);
});

test('requests that are sent again are told', async () => {
  const events = await turn({ script: 'e529', tag: 'overload', settings: { max_retries: 1 } });
  expect(events.filter((event) => event.tag === 'retry')).toEqual([
    { tag: 'retry', val: { attempt: 1, reason: 'overloaded (529)' } },
  ]);
  expect(model.requestsOf('overload')).toHaveLength(2);
});

test('without a sign-in the turn fails as auth before any request, and the login check says how to sign in', async () => {
  const bare = join(root, 'bare');
  const events = await turn({ script: 'plain', tag: 'bare', home: bare });
  expect(events.at(-1)).toMatchObject({ tag: 'turn-failed', val: { kind: 'auth' } });
  expect(model.requestsOf('bare')).toEqual([]);
  expect(driver.readLogin(await loginOf(bare))).toMatchObject({ tag: 'logged-out' });
  expect(driver.readLogin(await loginOf(home))).toEqual({ tag: 'logged-in' });
});

function loginOf(ofHome: string): Promise<{ exitCode: number | undefined; stdout: string; stderr: string }> {
  const { loginCheck } = driver.describe();
  const child = spawn(claude, loginCheck.tag === 'command' ? loginCheck.val : [], {
    env: { HOME: ofHome, PATH: process.env.PATH ?? '' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  return new Promise((resolve) =>
    child.once('close', (code) => resolve({ exitCode: code ?? undefined, stdout, stderr: '' })),
  );
}

test('every key of the driver configuration is one Claude Code accepts; a chosen directory holds everything', async () => {
  const chosen = join(root, 'chosen');
  await claudeHome(chosen);
  const events = await turn({
    script: 'think',
    tag: 'config',
    home: join(root, 'nothing-here'),
    settings: {
      config_dir: chosen,
      effort: 'low',
      max_turns: 5,
      user_settings: true,
      built_in_tools: ['Read'],
    },
    request: { model: 'mock-2' },
  });
  expect(tags(events)).toEqual(
    expect.arrayContaining(['thinking-delta', 'thinking', 'text', 'usage', 'turn-end']),
  );
  expect(lastRequest('config').model).toBe('mock-2');
  expect(await readdir(chosen)).toEqual(expect.arrayContaining(['.claude.json', 'projects']));
  await expect(readdir(join(root, 'nothing-here'))).rejects.toThrow('ENOENT');
});

test('the turn limit is its own kind of failure, with the counts of what ran', async () => {
  const events = await turn({
    script: 'bash',
    tag: 'limit',
    settings: { max_turns: 1, built_in_tools: ['Bash'] },
  });
  expect(events.at(-1)).toMatchObject({ tag: 'turn-failed', val: { kind: 'max-turns' } });
  expect(events.find((event) => event.tag === 'usage')).toMatchObject({ val: { input: 120, output: 27 } });
});

test('a bridge that cannot be reached costs its tools, not the turn, and is noted', async () => {
  const bridge = {
    serverName: 'murmur',
    url: 'http://127.0.0.1:9/bridge',
    bearerToken: 'canary-51',
    toolNames: ['echo'],
  };
  const events = await turn({ script: 'plain', tag: 'bridge', request: { bridge } });
  expect(events.at(-1)?.tag).toBe('turn-end');
  expect(events).toContainEqual({ tag: 'note', val: "the capsule's tools are not connected: failed" });
});

test('tools of the capsule are called through the bridge, two at once, and reported once under their bare names', async () => {
  const mcp = await startMcpEcho();
  try {
    const bridge = { serverName: 'murmur', url: mcp.url, bearerToken: 'canary-52', toolNames: ['echo'] };
    const events = await turn({ script: 'tools2', tag: 'tools', request: { bridge } });
    const calls = events.filter((event) => event.tag === 'tool-call' || event.tag === 'tool-result');
    expect(calls.map((event) => event.val)).toEqual([
      { id: expect.any(String), name: 'echo', input: '{"text":"ping-1"}' },
      { id: expect.any(String), name: 'echo', input: '{"text":"ping-2"}' },
      { id: expect.any(String), output: 'echo: ping-1', isError: false },
      { id: expect.any(String), output: 'echo: ping-2', isError: false },
    ]);
    expect(events.find((event) => event.tag === 'usage')).toMatchObject({
      val: { input: 240, cacheRead: 1800, cacheCreation: 60, output: 54 },
    });
    expect(events.at(-1)).toEqual({ tag: 'turn-end', val: 'The answer is four.' });
    expect(JSON.stringify(events)).not.toContain('canary-52');
  } finally {
    mcp.close();
  }
});

test('its folder keeps the session, and no file of it holds what only the run may know', async () => {
  const events = await turn({ script: 'plain', tag: 'kept' });
  const projects = join(home, '.claude', 'projects');
  const files = (await readdir(projects, { recursive: true })).filter((name) =>
    name.includes(sessionOf(events)),
  );
  expect(files).not.toEqual([]);
  expect(await readFile(join(projects, files[0] ?? ''), 'utf8')).not.toContain('canary-5');
});
