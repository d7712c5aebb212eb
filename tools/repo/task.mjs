// The one entry of the repository's own tasks: `node tools/repo/task.mjs <quickstart|build|test|check|bench>`.
// Needs nothing but Node, npm and a C compiler: pnpm comes through npx, and everything that any tool keeps
// (caches, stores, telemetry ids) goes below `.cache/` in this clone, never into the person's home.
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment, findProgram, requireCompiler, requireNode, run } from './lib/host.mjs';

const PNPM = 'pnpm@10.34.9';
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const cache = path.join(root, '.cache');

const environment = cleanEnvironment(root, process.env);

/** Runs pnpm through npx, so that it need not be installed. */
async function pnpm(args, options = {}) {
  const npx = process.env.npm_execpath?.endsWith('npm-cli.js')
    ? [process.execPath, path.join(path.dirname(process.env.npm_execpath), 'npx-cli.js')]
    : [findProgram('npx', process.env.PATH) ?? 'npx'];
  return run([...npx, '--yes', '--quiet', PNPM, ...args], { cwd: root, env: environment, ...options });
}

async function install() {
  mkdirSync(cache, { recursive: true });
  await pnpm(['install', '--frozen-lockfile', '--store-dir', path.join(cache, 'pnpm-store')], {
    quiet: true,
  });
}

async function build() {
  await install();
  await pnpm(['exec', 'turbo', 'run', 'build', '--output-logs', 'errors-only', '--no-update-notifier'], {
    quiet: true,
  });
}

const tasks = {
  build,
  async quickstart() {
    progress('preparing (the first time takes a few minutes)');
    await build();
    await run([process.execPath, path.join(root, 'tools/repo/quickstart.mjs')], {
      cwd: root,
      env: environment,
    });
  },
  async test() {
    progress('building');
    await build();
    progress('testing');
    await run([process.execPath, path.join(root, 'tools/repo/test.mjs'), ...process.argv.slice(3)], {
      cwd: root,
      env: environment,
    });
  },
  async check() {
    await build();
    await run([process.execPath, path.join(root, 'tools/repo/check.mjs'), ...process.argv.slice(3)], {
      cwd: root,
      env: environment,
    });
  },
  async bench() {
    await build();
    await run([process.execPath, path.join(root, 'tools/bench/dist/main.js'), ...process.argv.slice(3)], {
      cwd: root,
      env: environment,
    });
  },
};

function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`${text} …\n`);
}

const task = tasks[process.argv[2]];
if (task === undefined) {
  process.stderr.write(`usage: node tools/repo/task.mjs <${Object.keys(tasks).join('|')}>\n`);
  process.exit(2);
}
try {
  requireNode();
  requireCompiler(existsSync(path.join(root, 'packages/containment-linux-x64/bin/warden')));
  await task();
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(error.exitCode ?? 1);
}
