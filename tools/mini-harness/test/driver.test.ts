import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { DriverEvent, LaunchRequest } from '@murmur/driver-sdk';
import { type ModelServer, startModelServer } from '@murmur-tools/model-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { process as driver } from '../driver/index.js';

/* The driver's plans carried out by the mini agent itself. */

const AGENT = fileURLToPath(new URL('../bin/mini-agent.mjs', import.meta.url));

let model: ModelServer;
let root: string;

beforeAll(async () => {
  model = await startModelServer();
  root = await mkdtemp(join(tmpdir(), 'mini-driver-'));
  await mkdir(join(root, 'files'));
});
afterAll(async () => {
  await model?.close();
  if (root !== undefined) await rm(root, { recursive: true, force: true });
});

interface Turn {
  readonly script: string;
  readonly tag: string;
  readonly request?: Partial<LaunchRequest>;
  readonly config?: Record<string, unknown>;
  readonly onEvent?: (event: DriverEvent, interrupt: () => void) => unknown;
}

async function turn({ script, tag, request, config, onEvent }: Turn): Promise<readonly DriverEvent[]> {
  const plan = driver.launch({
    model: undefined,
    systemPrompt: 'Answer in one word.',
    config: JSON.stringify({
      base_url: model.urlFor(script, tag),
      home: join(root, 'home'),
      max_retries: 1,
      ...config,
    }),
    bridge: undefined,
    session: { id: `session-${tag}`, mode: 'new' },
    harnessVersion: undefined,
    task: 'When I say ping you say?',
    ...request,
  });
  const directory = join(root, 'files');
  for (const file of plan.files) await writeFile(join(directory, file.name), file.contents);
  const child = spawn(
    process.execPath,
    [AGENT, ...plan.args.map((argument) => argument.replaceAll('{files_dir}', directory))],
    {
      cwd: root,
      env: { HOME: root, ...Object.fromEntries(plan.envSet) },
    },
  );
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  let stderrTail = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderrTail += chunk;
  });
  child.stdin.on('error', () => undefined);
  child.stdin.write(plan.stdin ?? '');
  let interrupted = false;
  const events: DriverEvent[] = [];
  for await (const line of createInterface({ input: child.stdout }))
    for (const event of driver.parse([line])) {
      events.push(event);
      await onEvent?.(event, () => {
        interrupted = true;
        child.stdin.write(plan.interruptStdin ?? '');
      });
    }
  const code = await ended;
  if (!events.some((event) => event.tag === 'turn-end' || event.tag === 'turn-failed'))
    events.push(
      driver.classifyExit({
        code: code ?? undefined,
        signal: undefined,
        stderrTail,
        interrupted,
        sawTerminal: false,
      }),
    );
  return events;
}

const tags = (events: readonly DriverEvent[]) => events.map((event) => event.tag);

test('a new turn: session, deltas that add up to the text, counts before the end, the answer', async () => {
  const events = await turn({ script: 'echo', tag: 'new' });
  expect(events[0]).toMatchObject({ tag: 'session-started', val: { id: 'session-new', auth: 'none' } });
  const deltas = events.flatMap((event) => (event.tag === 'text-delta' ? [event.val] : []));
  expect(deltas.length).toBeGreaterThan(0);
  expect(events).toContainEqual({ tag: 'text', val: deltas.join('') });
  expect(tags(events).indexOf('usage')).toBeGreaterThan(0);
  expect(events.at(-1)).toEqual({ tag: 'turn-end', val: 'pong' });
  expect(tags(events)).not.toContain('note');
  expect(model.requestsOf('new')[0]?.body).toContain('Answer in one word.');
});

test('a resumed turn continues the session', async () => {
  await turn({ script: 'plain', tag: 'resume', request: { task: 'Remember the heron.' } });
  const session = { id: 'session-resume', mode: 'resume' as const };
  const events = await turn({ script: 'plain', tag: 'resume', request: { task: 'Which bird?', session } });
  expect(events.at(-1)?.tag).toBe('turn-end');
  expect(model.requestsOf('resume').at(-1)?.userTexts.join('\n')).toContain('Remember the heron.');
});

test('thinking streams, and a tool call has its result', async () => {
  expect(tags(await turn({ script: 'think', tag: 'think' }))).toContain('thinking-delta');
  const events = await turn({ script: 'read', tag: 'read' });
  const call = events.find((event) => event.tag === 'tool-call');
  expect(call).toMatchObject({ val: { name: 'read_file', input: '{"path":"note.txt"}' } });
  expect(events.filter((event) => event.tag === 'tool-result').map((event) => event.val.id)).toEqual([
    call?.tag === 'tool-call' ? call.val.id : '',
  ]);
});

test('the interrupt message ends the turn as canceled', async () => {
  const events = await turn({
    script: 'stall',
    tag: 'interrupt',
    onEvent: (event, interrupt) => event.tag === 'text-delta' && interrupt(),
  });
  expect(events.at(-1)).toMatchObject({ tag: 'turn-failed', val: { kind: 'canceled' } });
});

test('an unknown session starts nothing', async () => {
  const session = { id: 'nowhere', mode: 'resume' as const };
  expect(await turn({ script: 'plain', tag: 'gone', request: { session } })).toEqual([
    {
      tag: 'turn-failed',
      val: { kind: 'harness-error', message: expect.stringContaining('No session found') },
    },
  ]);
});

test.each([
  ['e401', 'auth', {}],
  ['e429', 'quota', { max_retries: 0 }],
  ['loop', 'max-turns', { max_steps: 2 }],
  ['e400', 'harness-error', {}],
])('%s fails the turn as %s', async (script, kind, config) => {
  expect((await turn({ script, tag: `kind-${script}`, config })).at(-1)).toMatchObject({
    tag: 'turn-failed',
    val: { kind },
  });
});

test('a repeated request is a retry', async () => {
  expect(tags(await turn({ script: 'midcut', tag: 'retry' }))).toContain('retry');
});

test('configuration that is not understood is refused by name', async () => {
  await expect(turn({ script: 'plain', tag: 'config', config: { stpes: 1 } })).rejects.toContain('stpes');
  await expect(turn({ script: 'plain', tag: 'config', config: { max_steps: 'many' } })).rejects.toContain(
    'max_steps',
  );
});
