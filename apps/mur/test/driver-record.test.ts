import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ModelServer, startModelServer } from '@murmur-tools/model-server';
import { codexHome, ensureHarness } from '@murmur-tools/real-harnesses';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mur, repository } from './support/mur.js';

let codex: string;
let model: ModelServer;
let directory: string;

beforeAll(async () => {
  codex = await ensureHarness('codex');
  model = await startModelServer();
  directory = mkdtempSync(path.join(tmpdir(), 'mur-record-'));
});
afterAll(async () => {
  await model?.close();
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
});

test('the real Codex, recorded against a model server, is read by its driver as ever', async () => {
  const home = path.join(directory, 'home');
  const modelUrl = model.urlFor('plain', 'record');
  await codexHome(path.join(home, '.codex'), modelUrl);
  const work = path.join(directory, 'work');
  mkdirSync(work);
  writeFileSync(path.join(work, 'task.txt'), 'What is two and two?');
  const request = path.join(repository, 'packages/driver-codex/test/transcripts/plain/request.json');
  const out = path.join(directory, 'transcripts/plain');
  const env = { PATH: process.env.PATH ?? '', HOME: path.join(directory, 'another-home') };
  const run = (...args: readonly string[]) => mur(['driver', ...args], { cwd: work, env });

  const recorded = await run(
    ...['record', '--out', out, '--harness', 'codex', '--stdin', 'task.txt', '--request', request],
    ...['--env', `HOME=${home}`, '--model', modelUrl, '--', codex],
    ...['exec', '--json', '--skip-git-repo-check', '--disable', 'plugins', '--disable', 'apps', '-'],
  );
  expect(recorded.code, recorded.stderr).toBe(0);
  const kept = readdirSync(out).map((file) => readFileSync(path.join(out, file), 'latin1'));
  for (const secret of [directory, repository, new URL(modelUrl).host, 'record'])
    expect(kept.join('\n').replaceAll('"recorded_on"', ''), secret).not.toContain(secret);

  const driver = path.join(repository, 'packages/driver-codex');
  const transcripts = ['--transcripts', path.join(directory, 'transcripts')];
  const goldens = await run('test', driver, ...transcripts, '--write-goldens');
  expect(goldens.code, goldens.stderr).toBe(0);
  const events = JSON.parse(readFileSync(path.join(out, 'events.json'), 'utf8')) as readonly {
    tag: string;
  }[];
  expect(events.at(-1)).toEqual({ tag: 'turn-end', val: 'The answer is four.' });
  expect(events.map(({ tag }) => tag)).toContain('usage');
  const judged = await run('test', driver, ...transcripts, '--runs', '20', '--only', 'P1,P2,P3,P5,goldens');
  expect(judged.code, judged.stdout + judged.stderr).toBe(0);
});
