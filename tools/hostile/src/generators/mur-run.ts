import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fakeAgentPath } from '@murmur-tools/fake-harness';
import { processesWith } from '../child-processes.js';
import type { Generator, Outcome } from '../generator.js';
import { hostileOutput, recordedRuns } from '../mutate/harness-lines.js';
import { Fault, shownTextProblem } from '../outcome.js';
import { type MurEnd, runMur } from '../run-mur.js';
import { writeHarnessScript } from './harness-script.js';

const manifest = {
  name: 'hostile',
  version: '0.1.0',
  artifacts: [{ name: 'murmur-driver-codex', version: '0.1.0', runtime: 'driver' }],
  inference: { transport: 'process', command: fakeAgentPath, driver: { artifact: 'murmur-driver-codex' } },
  capabilities: {
    env: { allow: ['HOME', 'PATH', 'FAKE_SCRIPT'] },
    network: { allow: ['api.openai.com', 'auth.openai.com', 'chatgpt.com'] },
    harness: { paths: [{ path: '~/.codex', access: 'read-write' }] },
  },
};

/** The same output in a whole run of the built `mur`. */
export const murRunGenerator: Generator = {
  name: 'mur-run',
  title: 'the same output in whole runs of the built `mur`: what it prints, records and leaves behind',
  share: 0.002,
  caseLimitMs: 120_000,
  async open({ root, scratch }) {
    const mur = join(root, 'apps/mur/dist/mur.js');
    const runs = recordedRuns(join(root, 'packages/driver-codex/test/transcripts'));
    const [home, project, script] = ['home', 'project', 'script.json'].map((name) => join(scratch, name));
    if (home === undefined || project === undefined || script === undefined) throw new Error('no scratch');
    await mkdir(join(home, '.codex'), { recursive: true, mode: 0o700 });
    await mkdir(project, { recursive: true });
    await writeFile(join(project, 'murmur.yaml'), JSON.stringify(manifest));
    const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: home, FAKE_SCRIPT: script };
    const run = (...args: readonly string[]): Promise<MurEnd> =>
      runMur([mur, ...args], { cwd: project, env });
    const archive = join(root, 'packages/driver-codex/dist/murmur-driver-codex-0.1.0.mur.zip');
    const installed = await run('install', archive);
    if (installed.code !== 0) throw new Error(`the driver was not installed: ${installed.stderr}`);
    return {
      async tryCase(random) {
        await rm(join(home, '.murmur/records'), { recursive: true, force: true });
        await writeHarnessScript(script, hostileOutput(runs, random), random);
        const end = await run('run', '--task', 'the task');
        checkTexts(end);
        await checkTraces(join(home, '.murmur/records'));
        const left = await processesWith(script);
        if (left.length > 0) throw new Fault(`processes live on: ${left.join(', ')}`);
        return outcomeOfRun(end);
      },
      [Symbol.asyncDispose]: async () => undefined,
    };
  },
};

function outcomeOfRun({ code, signal, stderr }: MurEnd): Outcome {
  if (signal !== null || code === null) throw new Fault(`mur died of ${signal}`);
  const found = /\bE-[A-Z]+-\d{3}\b/.exec(stderr)?.[0];
  if (code === 0) return 'exit 0';
  if (found === undefined) throw new Fault(`exit ${code} without a code:\n${stderr.slice(0, 2000)}`);
  return `exit ${code} ${found}`;
}

function checkTexts({ stdout, stderr }: MurEnd): void {
  // A harness may answer at length; what it answers is still no terminal's remote control.
  const problem = shownTextProblem(stderr) ?? shownTextProblem(stdout.slice(0, 16_000));
  if (problem !== null) throw new Fault(problem);
}

/** Every trace is whole lines of JSON. */
async function checkTraces(records: string): Promise<void> {
  const files = (await readdir(records, { recursive: true })).filter((name) => name.endsWith('trace.jsonl'));
  if (files.length !== 1) throw new Fault(`${files.length} traces were written`);
  for (const file of files) {
    const text = await readFile(join(records, file), 'utf8');
    if (!text.endsWith('\n')) throw new Fault(`the trace ends in the middle of a line: ${text.slice(-200)}`);
    for (const line of text.trimEnd().split('\n')) JSON.parse(line);
  }
}
