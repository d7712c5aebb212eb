import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const AGENT = fileURLToPath(new URL('../bin/fake-agent.mjs', import.meta.url));

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fake-agent-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

interface Run {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

interface RunOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly program?: string;
  readonly onOutput?: (kill: (signal: NodeJS.Signals) => void) => void;
}

function start(options: RunOptions): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(options.program ?? AGENT, options.args ?? [], {
      cwd: directory,
      env: { PATH: process.env.PATH ?? '', ...options.env },
    });
    const out: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => {
      out.push(chunk);
      options.onOutput?.((signal) => child.kill(signal));
    });
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    child.once('error', reject);
    child.once('close', (code, signal) =>
      resolve({ code, signal, stdout: Buffer.concat(out), stderr: Buffer.concat(errors).toString('utf8') }),
    );
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.stdin ?? '');
  });
}

const play = (steps: readonly object[], options: RunOptions = {}): Promise<Run> =>
  start({ ...options, env: { ...options.env, FAKE_SCRIPT_JSON: JSON.stringify(steps) } });

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('where the script comes from', () => {
  const steps = JSON.stringify([{ print: 'here' }]);

  it('takes a file, standard input, the environment, or the file beside its name', async () => {
    const file = join(directory, 's.json');
    await writeFile(file, steps);
    const link = join(directory, 'fake-agent');
    await symlink(AGENT, link);
    await writeFile(`${link}.script.json`, `{"steps":${steps}}`);
    const ways: RunOptions[] = [
      { args: ['--script', file] },
      { args: ['--script', '-'], stdin: `${steps}\nrest` },
      { env: { FAKE_SCRIPT: file } },
      { env: { FAKE_SCRIPT_JSON: steps } },
      { program: link, args: ['whatever'] },
    ];
    for (const way of ways) {
      const { stdout, code } = await start(way);
      expect(stdout.toString()).toBe('here\n');
      expect(code).toBe(0);
    }
  });

  it('ends with 2 without one and with 4 at an unknown step', async () => {
    expect(await start({})).toMatchObject({ code: 2, stderr: 'fake-agent: no script\n' });
    expect(await play([{ fly: true }])).toMatchObject({
      code: 4,
      stderr: 'fake-agent: no step is called fly\n',
    });
  });

  it('answers --version as told', async () => {
    expect((await start({ args: ['--version'] })).stdout.toString()).toBe('fake-agent 1.0.0\n');
    const env = { FAKE_VERSION_JSON: JSON.stringify([{ stderr: 'v9' }, { exit: 7 }]) };
    const odd = await start({ args: ['--version'], env });
    expect(odd).toMatchObject({ code: 7, stderr: 'v9' });
    expect(odd.stdout).toHaveLength(0);
  });
});

describe('output', () => {
  it('prints lines, events, raw text, bytes and files exactly', async () => {
    await writeFile(join(directory, 'f'), 'from a file\n');
    const { stdout } = await play([
      { print: ['a', { b: 1 }] },
      { event: { tag: 'text', text: 'x' } },
      { print_bytes: 'fffe0a' },
      { print_file: 'f' },
      { print_raw: 'no newline' },
    ]);
    const before = 'a\n{"b":1}\n{"event":{"tag":"text","text":"x"}}\n';
    expect(stdout).toEqual(
      Buffer.concat([
        Buffer.from(before),
        Buffer.from([0xff, 0xfe, 0x0a]),
        Buffer.from('from a file\nno newline'),
      ]),
    );
  });

  it('floods and prints huge lines whole, even right before it is killed', async () => {
    const { stdout, signal } = await play([
      { flood: 100_000, line: '{n}' },
      { huge: 3_000_000 },
      { kill_self: 'SIGKILL' },
    ]);
    const lines = stdout.toString().split('\n');
    expect(lines).toHaveLength(100_002);
    expect(lines[99_999]).toBe('99999');
    expect(lines[100_000]).toHaveLength(3_000_000);
    expect(signal).toBe('SIGKILL');
  });

  it('floods with several lines in turn', async () => {
    const { stdout } = await play([{ flood: 5, line: ['a{n} of {round}', 'b{round}'] }]);
    expect(stdout.toString()).toBe('a0 of 0\nb0\na2 of 1\nb1\na4 of 2\n');
  });

  it('closes its output and lives on', async () => {
    const { code, stdout } = await play([
      { print: 'x' },
      { close_output: true },
      { write_file: 'later', text: 'y' },
      { exit: 5 },
    ]);
    expect(code).toBe(5);
    expect(stdout.toString()).toBe('x\n');
    expect(await readFile(join(directory, 'later'), 'utf8')).toBe('y');
  });
});

describe('input and calls', () => {
  it('reads lines and the rest', async () => {
    const steps = [
      { read_line: 'print' },
      { read_line: true, expect: 'two' },
      { read_all: 'rest' },
      { read_line: 'print' },
    ];
    const { stdout, code } = await play(steps, { stdin: 'one\ntwo\nthree\nfour' });
    expect(code).toBe(0);
    expect(stdout.toString()).toBe('one\nnull\n');
    expect(await readFile(join(directory, 'rest'), 'utf8')).toBe('three\nfour');
    expect((await play([{ read_line: true, expect: 'two' }], { stdin: 'one\n' })).code).toBe(3);
  });

  it('calls a URL', async () => {
    const server = http.createServer((request, response) => {
      response.statusCode = 201;
      request.pipe(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`;
    const { stdout } = await play([{ request: url, method: 'POST', body: { a: 1 } }]);
    server.close();
    expect(JSON.parse(stdout.toString())).toEqual({ status: 201, body: '{"a":1}' });
    expect(JSON.parse((await play([{ request: url }])).stdout.toString())).toEqual({ error: 'ECONNREFUSED' });
  });

  it('writes down what it was given', async () => {
    await play([{ snapshot: 'snap' }], { args: ['--flag'], env: { MARK: 'm' } });
    const snapshot = JSON.parse(await readFile(join(directory, 'snap'), 'utf8'));
    expect(snapshot).toMatchObject({ argv: ['--flag'], env: { MARK: 'm' }, cwd: directory });
    expect(Object.keys(snapshot.descriptors)).toEqual(expect.arrayContaining(['0', '1', '2']));
  });
});

describe('signals and descendants', () => {
  it('runs steps on a signal, or ignores it', async () => {
    const handled = await play(
      [
        { on_signal: 'SIGINT', steps: [{ print: 'caught' }, { exit: 9 }] },
        { print: 'ready' },
        { hang: true },
      ],
      {
        onOutput: (kill) => kill('SIGINT'),
      },
    );
    expect(handled).toMatchObject({ code: 9 });
    expect(handled.stdout.toString()).toBe('ready\ncaught\n');
    const ignoring = await play([{ ignore: ['SIGINT', 'SIGTERM'] }, { print: 'ready' }, { hang: true }], {
      onOutput: (kill) => {
        kill('SIGINT');
        kill('SIGTERM');
        kill('SIGKILL');
      },
    });
    expect(ignoring.signal).toBe('SIGKILL');
    expect((await play([{ kill_self: 'SIGTERM' }])).signal).toBe('SIGTERM');
  });

  it.each([false, true])(
    'leaves a process behind that outlives it and ignores SIGTERM (double fork: %s)',
    async (double) => {
      const { code } = await play([{ fork: { pid_file: 'pid', double } }, { exit: 0 }]);
      expect(code).toBe(0);
      const pid = Number(await readFile(join(directory, 'pid'), 'utf8'));
      try {
        process.kill(pid, 'SIGTERM');
        const status = await readFile(`/proc/${pid}/status`, 'utf8');
        const caught = BigInt(`0x${/^SigCgt:\s*(\w+)$/m.exec(status)?.[1]}`);
        expect(caught & (1n << 14n)).not.toBe(0n);
        const [, , , , , session] = (await readFile(`/proc/${pid}/stat`, 'utf8'))
          .replace(/^.*\) /, 'x x ')
          .split(' ');
        expect(Number(session)).toBe(pid);
        expect(alive(pid)).toBe(true);
      } finally {
        process.kill(pid, 'SIGKILL');
      }
    },
  );
});
