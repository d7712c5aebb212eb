import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ModelServer, startModelServer } from '@murmur-tools/model-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { process as driver } from '../../../packages/driver-codex/src/index.js';
import { codexHome } from '../src/codex-home.js';
import { ensureHarness } from '../src/ensure-harness.js';
import { type DrivenTurn, type DriverEvent, driveTurn, type LaunchRequest, sessionOf } from './drive-turn.js';

/* The driver's own plans, carried out by the real CLI: what Codex refuses or prints differently shows here. */

let codex: string;
let model: ModelServer;
let root: string;

beforeAll(async () => {
  codex = await ensureHarness('codex');
  model = await startModelServer();
  root = await mkdtemp(join(tmpdir(), 'codex-driver-'));
});
afterAll(async () => {
  await model?.close();
  if (root !== undefined) await rm(root, { recursive: true, force: true });
});

interface Turn {
  readonly script: string;
  readonly tag: string;
  readonly request?: Partial<LaunchRequest>;
  readonly onEvent?: DrivenTurn['onEvent'];
}

async function turn({ script, tag, request, onEvent }: Turn): Promise<readonly DriverEvent[]> {
  const home = join(root, 'home');
  await codexHome(join(home, '.codex'), model.urlFor(script, tag));
  return driveTurn({
    driver,
    binary: codex,
    home,
    cwd: join(root, 'work'),
    ...(request === undefined ? {} : { request }),
    ...(onEvent === undefined ? {} : { onEvent }),
  });
}

/** Names of the tools a request offered the model. */
const offered = (tag: string): readonly unknown[] => {
  const body = JSON.parse(model.requestsOf(tag).at(-1)?.body ?? '{}') as {
    tools?: { name?: string; type: string }[];
  };
  return (body.tools ?? []).map((tool) => tool.name ?? tool.type);
};

test('a new turn: answer, exact counts, the prompts as given, and none of its own tools offered', async () => {
  const events = await turn({ script: 'echo', tag: 'new' });
  expect(events.at(-1)).toEqual({ tag: 'turn-end', val: 'pong' });
  expect(events.find((event) => event.tag === 'usage')).toMatchObject({
    val: { input: 120, cacheRead: 900, output: 27 },
  });
  expect(model.requestsOf('new').at(-1)?.userTexts.at(-1)).toBe(
    '<system_instructions>\nAnswer in one word.\n</system_instructions>\n\nWhen I say ping you say?',
  );
  // A question to the person, which a run without one never answers, is all Codex cannot be talked out of.
  expect(offered('new')).toEqual(['request_user_input']);
});

test('its own tools are offered only where the manifest asks for them', async () => {
  await turn({ script: 'echo', tag: 'own', request: { config: '{"built_in_tools":true}' } });
  expect(offered('own')).toContain('exec_command');
});

test('a resumed turn continues the thread and gives no counts', async () => {
  const first = await turn({ script: 'plain', tag: 'resume', request: { task: 'Remember the heron.' } });
  const session = { id: sessionOf(first), mode: 'resume' as const };
  const second = await turn({ script: 'plain', tag: 'resume', request: { task: 'Which bird?', session } });
  expect(sessionOf(second)).toBe(session.id);
  expect(second.at(-1)?.tag).toBe('turn-end');
  expect(second.some((event) => event.tag === 'usage')).toBe(false);
  expect(model.requestsOf('resume').at(-1)?.userTexts.join('\n')).toContain('Remember the heron.');
});

test('an unknown thread starts nothing and names no session', async () => {
  const session = { id: '99999999-2222-4333-8444-555555555555', mode: 'resume' as const };
  const events = await turn({ script: 'plain', tag: 'unknown', request: { session } });
  expect(events).toEqual([
    {
      tag: 'turn-failed',
      val: { kind: 'harness-error', message: expect.stringContaining('no rollout found') },
    },
  ]);
});

test('SIGINT ends a turn as canceled', async () => {
  const events = await turn({
    script: 'stall',
    tag: 'interrupt',
    async onEvent(event, interrupt) {
      if (event.tag !== 'session-started') return;
      await model.seen('interrupt', 1);
      interrupt('SIGINT');
    },
  });
  expect(events.at(-1)).toMatchObject({ tag: 'turn-failed', val: { kind: 'canceled' } });
});

test.each([
  ['e401', 'auth'],
  ['e429', 'quota'],
  ['quota', 'quota'],
  ['e500', 'harness-error'],
  ['cut', 'harness-error'],
])('%s fails the turn as %s', async (script, kind) => {
  expect((await turn({ script, tag: `kind-${script}` })).at(-1)).toMatchObject({
    tag: 'turn-failed',
    val: { kind },
  });
});

test('every key of the driver configuration is one Codex accepts', async () => {
  const config = {
    config_dir: join(root, 'home', '.codex'),
    profile: 'work',
    sandbox_mode: 'workspace-write',
    reasoning_effort: 'low',
    reasoning_summary: 'auto',
    overrides: { 'tools.view_image': false, hide_agent_reasoning: false },
  };
  const events = await turn({
    script: 'think',
    tag: 'config',
    request: { config: JSON.stringify(config), model: 'mock-2' },
  });
  expect(events.map((event) => event.tag)).toEqual(
    expect.arrayContaining(['thinking', 'text', 'usage', 'turn-end']),
  );
  expect(JSON.parse(model.requestsOf('config').at(-1)?.body ?? '{}')).toMatchObject({ model: 'mock-2' });
});

test('a bridge that cannot be reached costs its tools, not the turn, and its token stays off the arguments', async () => {
  const bridge = {
    serverName: 'murmur',
    url: 'http://127.0.0.1:9/bridge',
    bearerToken: 'canary-51',
    toolNames: ['echo'],
  };
  const events = await turn({ script: 'plain', tag: 'bridge', request: { bridge } });
  expect(events.at(-1)?.tag).toBe('turn-end');
});

test('a tool of the capsule is called through the bridge, with the token, and reported once under its bare name', async () => {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString('utf8');
    });
    request.on('end', () => {
      const { id, method, params } = JSON.parse(body) as {
        id?: number;
        method: string;
        params?: { protocolVersion?: string };
      };
      if (id === undefined) return void response.writeHead(202).end();
      const result = {
        initialize: {
          protocolVersion: params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'bridge', version: '1.0.0' },
        },
        'tools/list': {
          tools: [{ name: 'echo', description: 'Repeats a text.', inputSchema: { type: 'object' } }],
        },
        'tools/call': { content: [{ type: 'text', text: 'echo: ping-1' }], isError: false },
      }[method];
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: result ?? {} }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const bridge = {
      serverName: 'murmur',
      url: `http://127.0.0.1:${port}/bridge`,
      bearerToken: 'canary-52',
      toolNames: ['echo'],
    };
    const events = await turn({ script: 'tool', tag: 'tool', request: { bridge } });
    expect(events.filter((event) => event.tag === 'tool-call' || event.tag === 'tool-result')).toEqual([
      { tag: 'tool-call', val: { id: expect.any(String), name: 'echo', input: '{"text":"ping-1"}' } },
      { tag: 'tool-result', val: { id: expect.any(String), output: 'echo: ping-1', isError: false } },
    ]);
    expect(events.at(-1)).toMatchObject({ tag: 'turn-end' });
    expect(new Set(seen)).toEqual(new Set(['Bearer canary-52']));
    expect(JSON.stringify(events)).not.toContain('canary-52');
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

test('without a login the login check says so and how to sign in', async () => {
  const child = spawn(codex, ['login', 'status'], { env: { HOME: join(root, 'home') } });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const exitCode = await new Promise<number | undefined>((resolve) =>
    child.once('close', (code) => resolve(code ?? undefined)),
  );
  expect(driver.readLogin({ exitCode, stdout: '', stderr })).toMatchObject({ tag: 'logged-out' });
});
