// Runs the example capsule against a scripted model on loopback and says where everything lies. Home and state of
// this run stay inside the clone.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const mur = path.join(root, 'bin/mur');
const example = path.join(root, 'examples/hello');
const home = path.join(root, '.cache/quickstart/home');
const task = process.argv[2] ?? 'When I say ping you say?';

const { startModelServer } = await import(path.join(root, 'tools/model-server/dist/index.js'));
mkdirSync(home, { recursive: true, mode: 0o700 });
const model = await startModelServer({ script: 'ping' });
const env = {
  PATH: process.env.PATH,
  HOME: home,
  MINI_BASE_URL: model.url,
  ...(process.env.TERM ? { TERM: process.env.TERM } : {}),
};

try {
  // A driver that was built again has another hash: what an earlier quickstart pinned does not count.
  rmSync(path.join(example, 'murmur.lock'), { force: true });
  rmSync(path.join(example, '.murmur'), { recursive: true, force: true });
  await call([mur, 'install', path.join(root, 'tools/mini-harness/dist/murmur-driver-mini-0.1.0.mur.zip')], {
    quiet: true,
  });
  const lines = (await call([mur, 'run', '--json', '--task', task]))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const result = lines.at(-1);
  if (result.exit_status !== 'ok') throw new Error(`the example ended ${result.exit_status}`);
  say(`
  task      ${task}
  answer    ${result.result}

  trace     ${path.relative(process.cwd(), result.trace_path)}
  result    ${path.relative(process.cwd(), result.result_path)}

That was examples/hello: a capsule whose harness is a small agent program (tools/mini-harness), talking to a scripted
model on loopback. To use a real agent CLI that you are signed in to, for example Codex:

  1. npm install -g @openai/codex && codex login
  2. cd examples/codex && ../../bin/mur install ../../packages/driver-codex/dist/murmur-driver-codex-0.1.0.mur.zip
  3. ../../bin/mur run --task "What is in this directory?"

docs/getting-started.md goes on from here.`);
} catch (error) {
  process.stderr.write(`quickstart failed: ${error.message}\n`);
  process.exitCode = 1;
} finally {
  await model.close();
}

function say(text) {
  process.stdout.write(`${text}\n`);
}

/** Runs a command in the example's directory; resolves with its stdout. */
function call(command, { quiet = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command[0], command.slice(1), {
      cwd: example,
      env,
      stdio: ['ignore', 'pipe', quiet ? 'pipe' : 'inherit'],
    });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      errors += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0
        ? resolve(output)
        : reject(new Error(`${command.slice(0, 3).join(' ')} ended with ${code}\n${errors}`)),
    );
  });
}
