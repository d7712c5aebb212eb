import { closeSync, existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { forkStray, runProgram, writeWhole } from './children.mjs';
import { flood, huge, writeAll } from './output.mjs';

const forever = () =>
  new Promise(() => {
    setInterval(() => {}, 1 << 30);
  });

/** Every step by its key. A step is an object; its first key names it, other keys are its options. */
const STEPS = {
  print: (value) => {
    for (const line of [value].flat())
      writeAll(1, `${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  },
  event: (_value, step) => writeAll(1, `${JSON.stringify(step)}\n`),
  print_raw: (text) => writeAll(1, text),
  print_bytes: (hex) => writeAll(1, Buffer.from(hex, 'hex')),
  flood: (count, { line = 'line {n}' }) => flood(count, line),
  huge: (count, { newline = true }) => {
    huge(count);
    if (newline) writeAll(1, '\n');
  },
  stderr: (text) => writeAll(2, text),
  delay_ms: (ms) => delay(ms),
  read_line: async (option, step, context) => {
    const line = await context.stdin.line();
    if (option === 'print') writeAll(1, `${line ?? 'null'}\n`);
    if (step.expect !== undefined && !(line ?? '').includes(step.expect)) {
      writeAll(2, `fake-agent: expected ${step.expect}, read ${line}\n`);
      process.exit(3);
    }
  },
  read_all: async (option, _step, context) => {
    const text = await context.stdin.rest();
    if (option === 'print') writeAll(1, `${text}\n`);
    if (typeof option === 'string' && option !== 'print') writeWhole(option, text);
  },
  ignore: (signals) => {
    for (const signal of [signals].flat()) process.on(signal, () => {});
  },
  on_signal: (signal, { steps = [] }, context) => {
    process.on(signal, () => void runSteps(steps, context));
  },
  fork: async (options) => {
    forkStray(options);
    while (options.pid_file !== undefined && !existsSync(options.pid_file)) await delay(5);
  },
  run: (command) => runProgram(command),
  hang: forever,
  exit: (code) => process.exit(code),
  kill_self: async (signal) => {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    await forever();
  },
  snapshot: (path, _step, context) => writeWhole(path, JSON.stringify(snapshot(context.argv))),
  write_file: (path, { text = '' }) => writeFileSync(path, text),
  print_file: (path) => writeAll(1, readFileSync(path)),
  close_output: () => {
    closeSync(1);
    closeSync(2);
  },
  request: async (url, { method = 'GET', headers = {}, body, print = true }) => {
    const answer = await request(url, method, headers, body);
    if (print) writeAll(1, `${JSON.stringify(answer)}\n`);
  },
  repeat: async (count, { steps = [] }, context) => {
    for (let round = 0; round < count; round += 1) await runSteps(steps, context);
  },
};

/** Runs steps in order. An unknown step is the script's fault and ends the process with 4. */
export async function runSteps(steps, context) {
  for (const step of steps) {
    const [key] = Object.keys(step);
    const run = STEPS[key];
    if (run === undefined) {
      writeAll(2, `fake-agent: no step is called ${key}\n`);
      process.exit(4);
    }
    await run(step[key], step, context);
  }
}

/** What this process was given: arguments, environment, working directory, open descriptors. */
function snapshot(argv) {
  const descriptors = {};
  for (const name of readdirSync('/proc/self/fd')) {
    try {
      descriptors[name] = readlinkSync(`/proc/self/fd/${name}`);
    } catch {
      // The descriptor of this very listing is closed by now.
    }
  }
  return { pid: process.pid, argv, env: { ...process.env }, cwd: process.cwd(), descriptors };
}

function request(url, method, headers, body) {
  return new Promise((resolve) => {
    const outgoing = http.request(url, { method, headers }, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString('utf8');
      resolve({ status: response.statusCode, body: text });
    });
    outgoing.on('error', (error) => resolve({ error: error.code ?? error.message }));
    outgoing.end(typeof body === 'object' ? JSON.stringify(body) : body);
  });
}
