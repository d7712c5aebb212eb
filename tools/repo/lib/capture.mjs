import { spawn } from 'node:child_process';

/** Runs a program to its end and keeps what it prints: `{ ok, output }`. */
export function capture(command, cwd, env = process.env) {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(command[0], command.slice(1), { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', (error) => resolve({ ok: false, output: error.message }));
    child.on('close', (code) => resolve({ ok: code === 0, output }));
  });
}
