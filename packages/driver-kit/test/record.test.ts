import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RecordOptions, recordCase } from '../src/testkit/record/record-case.js';
import { createRedactor } from '../src/testkit/record/redact.js';
import { readCase } from '../src/testkit/transcript/read-case.js';

/** Where nothing has a name that a redaction would find by accident. */
let scratch: string;
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'murmur-record-'));
  await mkdir(join(scratch, 'home'));
  await mkdir(join(scratch, 'work'));
});
afterEach(() => rm(scratch, { recursive: true, force: true }));

const ID = '01a22735-131a-7c40-89c2-297b2e974083';

async function record(script: string, more: Partial<RecordOptions> = {}) {
  const program = join(scratch, 'cli.mjs');
  await writeFile(program, script);
  const directory = join(scratch, 'case');
  const recorded = await recordCase({
    command: process.execPath,
    args: [program, '--url={model_url}'],
    env: { HOME: join(scratch, 'home'), TOY_KEY: 'key-of-the-person', PLAIN: 'x' },
    cwd: join(scratch, 'work'),
    modelUrl: 'http://127.0.0.1:18090/c/echo~1',
    directory,
    meta: {
      harness: 'toy',
      version: '1',
      recordedOn: '2026-11-01',
      command: 'turn',
      session: { id: ID, mode: 'new' },
      bridge: null,
    },
    request: {
      model: undefined,
      systemPrompt: '',
      config: undefined,
      bridge: undefined,
      session: { id: ID, mode: 'new' },
      harnessVersion: undefined,
      task: `look at ${ID}`,
    },
    ...more,
  });
  // What lies on the disk is what came back.
  expect(await readCase(directory)).toEqual({ ...recorded, request: recorded.request });
  const all = await Promise.all(
    ['stdout.bin', 'stderr.txt', 'meta.json', 'request.json'].map((file) =>
      readFile(join(directory, file), 'latin1'),
    ),
  );
  return { recorded, stdout: Buffer.from(recorded.stdout).toString('utf8'), all: all.join('\n') };
}

test('a recording holds the bytes, and no path, id, key, address or person of this machine', async () => {
  const { recorded, stdout, all } = await record(
    `
    let task = '';
    for await (const chunk of process.stdin) task += chunk;
    const say = (value) => process.stdout.write(JSON.stringify(value) + '\\n');
    say({ id: '${ID}', cwd: process.cwd(), home: process.env.HOME, key: process.env.TOY_KEY });
    say({ url: process.argv[2], again: '${ID}', other: '11111111-2222-4333-8444-555555555555' });
    say({ who: 'real.person@corp.example', bearer: 'Bearer abcdefgh12345678', sk: 'sk-live-abcdefgh1234' });
    say({ task });
    process.stdout.write(Buffer.from([0x22, 0xff, 0x22, 0x0a]));
    process.stderr.write('see ' + process.env.HOME + '/log\\n');
    process.exitCode = 3;
    `,
    { stdin: 'the task' },
  );
  for (const secret of [scratch, ID, '11111111', 'key-of-the-person', '18090', 'real.person', 'abcdefgh1234'])
    expect(all, secret).not.toContain(secret);
  expect(recorded.exit).toEqual({ code: 3, signal: null, interrupted: false });
  expect(recorded.stderr).toBe('see /home/user/log\n');
  expect(recorded.meta.argv.at(-1)).toBe('--url=http://model.test');
  expect(recorded.meta.envNames).toEqual(['HOME', 'PLAIN', 'TOY_KEY']);
  expect(stdout).toContain('"task":"the task"');
  expect(Buffer.from(recorded.stdout).includes(Buffer.from([0x22, 0xff, 0x22, 0x0a]))).toBe(true);
  // One id is one id, in every file.
  const placed = /"id":"([^"]+)"/.exec(stdout)?.[1];
  expect(stdout).toContain(`"again":"${placed}"`);
  expect(recorded.meta.session?.id).toBe(placed);
  expect(recorded.request?.task).toBe(`look at ${placed}`);
  expect(stdout).not.toContain(`"other":"${placed}"`);
  expect(recorded.meta.redactions.join('; ')).toContain('UUIDs');
});

test('a turn is interrupted after a line, by a signal or by a message', async () => {
  const waiting = `
    process.on('SIGINT', () => { console.log('interrupted'); process.exit(0); });
    process.stdin.on('data', (text) => { console.log('got ' + text); process.exit(0); });
    console.log('ready');
    setInterval(() => {}, 1000);
  `;
  const signalled = await record(waiting, { interruptAfterLines: 1, keepStdinOpen: true });
  expect(signalled.stdout).toBe('ready\ninterrupted\n');
  expect(signalled.recorded.exit).toEqual({ code: 0, signal: null, interrupted: true });
  const told = await record(waiting, { interruptAfterLines: 1, interruptStdin: 'stop', keepStdinOpen: true });
  expect(told.stdout).toBe('ready\ngot stop\n');
  const killed = await record(waiting, { killAfterLines: 1, keepStdinOpen: true });
  expect(killed.recorded.exit).toEqual({ code: null, signal: 9, interrupted: false });
});

test('redaction is consistent and stable: what was put is not replaced again', () => {
  const redactor = createRedactor([
    { find: '/home/x/code', put: '/workdir', what: 'w' },
    { find: '/home/x', put: '/home/user', what: 'h' },
  ]);
  const once = redactor.text(`/home/x/code/a /home/x/b ${ID} a@b.example a@b.example`);
  expect(once).toBe(
    '/workdir/a /home/user/b 00000000-0000-4000-8000-000000000001 person-1@example.test person-1@example.test',
  );
  expect(redactor.text(once)).toBe(once);
});
