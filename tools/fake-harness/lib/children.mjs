import { spawn } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';

/**
 * What a stray descendant runs: ignores signals if told to, forks once more if told to, writes its pid (whole, by
 * rename) and stays.
 */
const STRAY = `
const { spawn } = require('node:child_process');
const { renameSync, writeFileSync } = require('node:fs');
const plan = JSON.parse(process.argv[1]);
if (plan.ignoreSignals) for (const name of ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGPIPE', 'SIGUSR1', 'SIGUSR2']) process.on(name, () => {});
if (plan.generations > 1) {
  const next = JSON.stringify({ ...plan, generations: plan.generations - 1 });
  spawn(process.execPath, ['-e', plan.source, next], { detached: true, stdio: plan.holdOutput ? 'inherit' : 'ignore' }).unref();
} else {
  if (plan.pidFile) { writeFileSync(plan.pidFile + '.new', String(process.pid)); renameSync(plan.pidFile + '.new', plan.pidFile); }
  setInterval(() => {}, 1 << 30);
}
`;

/** Starts a process in a session of its own (`double`: through a parent that is gone at once) and waits for its pid file. */
export function forkStray({
  pid_file: pidFile,
  double = false,
  ignore_signals: ignoreSignals = true,
  hold_output: holdOutput = false,
}) {
  const plan = { pidFile, ignoreSignals, holdOutput, generations: double ? 2 : 1, source: STRAY };
  const child = spawn(process.execPath, ['-e', STRAY, JSON.stringify(plan)], {
    detached: true,
    stdio: holdOutput ? ['ignore', 'inherit', 'inherit'] : 'ignore',
  });
  child.unref();
}

/** Runs a program to its end; its stdout and stderr are this process's own. */
export function runProgram([program, ...args]) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', reject);
    child.once('exit', resolve);
  });
}

export function writeWhole(path, text) {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}
