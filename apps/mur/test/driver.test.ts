import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildComponent } from '@murmur/driver-kit';
import { readCase, writeCase } from '@murmur/driver-kit/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toyCases, toyRequest } from '../../../packages/driver-kit/test/fixtures/toy/toy-cases.js';
import { mur, repository } from './support/mur.js';
import { fakeDriver, makeHome } from './support/project.js';

const home = makeHome();
const directory = mkdtempSync(path.join(tmpdir(), 'mur-driver-'));
afterAll(() => {
  for (const each of [home, directory]) rmSync(each, { recursive: true, force: true });
});

const env = { PATH: process.env.PATH ?? '', HOME: home };
const run = (...args: readonly string[]) => mur(['driver', ...args], { cwd: directory, env });

/** A driver's directory with a component that has this breakage in it, and the recordings. */
async function driverDirectory(broken: string): Promise<string> {
  const project = path.join(directory, broken);
  mkdirSync(path.join(project, 'dist'), { recursive: true });
  const component = await buildComponent({
    entry: path.join(repository, 'packages/driver-kit/test/fixtures/toy/index.ts'),
    constants: { BROKEN: broken },
  });
  writeFileSync(path.join(project, 'dist/component.wasm'), component);
  for (const each of toyCases) await writeCase(path.join(project, 'test/transcripts', each.name), each);
  return project;
}

let sound: string;
beforeAll(async () => {
  sound = await driverDirectory('none');
});

test('mur driver check tells what a driver says of itself, in words and as JSON', async () => {
  const told = await run('check', sound);
  expect(told.code, told.stderr).toBe(0);
  expect(told.stdout).toContain('harness        toy\n');
  expect(told.stdout).toContain('paths          ~/.toy (read-write)\n');
  expect(told.stdout).toContain('The driver loads.');
  const json = await run('check', path.join(sound, 'dist/component.wasm'), '--json');
  expect(json.code, json.stderr).toBe(0);
  expect(JSON.parse(json.stdout)).toMatchObject({
    imports: [],
    description: { harness: 'toy', interrupt: 'stdin-message' },
  });
});

test('mur driver check refuses what a run would refuse, with the same code', async () => {
  const result = await run('check', fakeDriver('other-interface-version'));
  expect(result.code).toBe(1);
  expect(result.stderr).toContain('error[E-RUN-029]');
  const nothing = await run('check', path.join(directory, 'nothing'));
  expect(nothing).toMatchObject({ code: 1, stdout: '' });
  expect(nothing.stderr).toContain('does not exist');
});

test('mur driver test: the same seed judges a sound driver alike, twice, and exits with 0', async () => {
  const args = ['test', sound, '--runs', '10', '--seed', '7', '--only', 'P1,P2,P12,P16', '--json'];
  const first = await run(...args);
  expect(first.code, first.stderr + first.stdout).toBe(0);
  const report = JSON.parse(first.stdout) as { results: readonly { id: string; status: string }[] };
  expect(report.results.map(({ id, status }) => `${id} ${status}`)).toEqual([
    'P1 passed',
    'P2 passed',
    'P12 passed',
    'P16 passed',
  ]);
  expect((await run(...args)).stdout).toBe(first.stdout);
});

test('mur driver test names the property that a driver breaks, with the input, and exits with 1', async () => {
  const project = await driverDirectory('P1');
  const result = await run('test', project, '--runs', '20', '--only', 'P1,P3');
  expect(result.code, result.stderr).toBe(1);
  expect(result.stdout).toContain('FAIL P1');
  expect(result.stdout).toContain('smallest input: ');
  expect(result.stdout).toContain('ok   P3');
  expect(result.stdout).toContain('Broken: P1.');
});

test('a slow component is noticed, and a quick one on a slow machine is not', async () => {
  const project = await driverDirectory('P16');
  const result = await run('test', project, '--runs', '1', '--only', 'P16');
  expect(result.code, result.stderr).toBe(1);
  expect(result.stdout).toContain('login: read-login takes');
});

test('goldens are written for review, and a driver that changed is held against them', async () => {
  const written = await run('test', sound, '--write-goldens');
  expect(written.code, written.stderr).toBe(0);
  const kept = await readCase(path.join(sound, 'test/transcripts/sign-in'));
  expect(kept.events?.at(-1)).toEqual({
    tag: 'turn-failed',
    val: { kind: 'auth', message: 'not signed in' },
  });
  expect(kept.plan?.args).toEqual(['run']);
  expect((await run('test', sound, '--only', 'goldens')).code).toBe(0);
  const file = path.join(sound, 'test/transcripts/sign-in/events.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"kind": "auth"', '"kind": "quota"'));
  const changed = await run('test', sound, '--only', 'goldens');
  expect(changed.code).toBe(1);
  expect(changed.stdout).toContain('sign-in: the events are not the reviewed ones: entry 3');
});

test('a recording that cannot be read is told by file and member', async () => {
  const transcripts = path.join(directory, 'spoilt');
  mkdirSync(path.join(transcripts, 'one'), { recursive: true });
  for (const file of readdirSync(path.join(sound, 'test/transcripts/answer')))
    copyFileSync(path.join(sound, 'test/transcripts/answer', file), path.join(transcripts, 'one', file));
  writeFileSync(path.join(transcripts, 'one/exit.json'), '{"code":"zero"}');
  const result = await run('test', sound, '--transcripts', transcripts);
  expect(result.code).toBe(1);
  expect(result.stderr).toContain(`${path.join(transcripts, 'one/exit.json')}: code must be a whole number`);
  expect(result.stderr).not.toMatch(/\n\s+at .+:\d+:\d+/);
});

test.each([
  [['test'], 'missing required argument'],
  [['test', 'x.wasm'], "option '--transcripts <dir>' is needed"],
  [['test', '.', '--only', 'P18'], 'There is no property P18'],
  [['test', '.', '--runs', '0'], 'above 0'],
  [['record', '--', 'true'], "required option '--out <dir>'"],
  [['build', '--engine', 'v8'], 'Allowed choices are quickjs, starlingmonkey'],
])('wrong usage ends with 2: %j', async (args, reason) => {
  const result = await run(...args);
  expect(result.code).toBe(2);
  expect(result.stderr).toContain(reason);
});

test('mur driver record runs a CLI with an empty home and keeps a case that mur driver test reads', async () => {
  const script = path.join(directory, 'cli.mjs');
  writeFileSync(
    script,
    `let task = ''; for await (const chunk of process.stdin) task += chunk;
     console.log(JSON.stringify({ type: 'session', id: '01a22735-131a-7c40-89c2-297b2e974083' }));
     console.log(JSON.stringify({ type: 'done', failed: false, text: task + process.argv[2] + process.env.HOME + (process.env.SECRET_OF_MINE ?? '') }));`,
  );
  writeFileSync(path.join(directory, 'task.txt'), 'the task ');
  writeFileSync(path.join(directory, 'request.json'), JSON.stringify(toyRequest));
  const out = path.join(directory, 'recorded/one');
  const args = [
    '--out',
    out,
    '--model',
    'http://127.0.0.1:1234/c/x',
    '--stdin',
    'task.txt',
    '--request',
    'request.json',
  ];
  const result = await mur(['driver', 'record', ...args, '--', 'node', script, '{model_url}'], {
    cwd: directory,
    env: { ...env, SECRET_OF_MINE: 'never passed on' },
  });
  expect(result.code, result.stderr).toBe(0);
  expect(result.stdout).toContain("the model's URL");
  const recorded = await readCase(out);
  const stdout = Buffer.from(recorded.stdout).toString('utf8');
  expect(stdout).toContain('"text":"the task http://model.test/home/user"');
  expect(stdout + JSON.stringify(recorded.meta)).not.toMatch(/1234|never passed on|01a22735/);
  expect(recorded.meta.envNames).toEqual(['HOME', 'PATH']);
  const judged = await run(
    'test',
    sound,
    '--transcripts',
    path.join(directory, 'recorded'),
    '--only',
    'P1',
    '--runs',
    '5',
  );
  expect(judged.code, judged.stderr).toBe(0);
});

test('mur driver build builds with the kit of the project, and says what is missing without one', async () => {
  const without = await run('build', directory);
  expect(without).toMatchObject({ code: 1 });
  expect(without.stderr).toContain('npm install --save-dev @murmur/driver-kit @murmur/driver-sdk');
  const project = mkdtempSync(path.join(repository, 'packages/driver-kit/temp-build-'));
  try {
    mkdirSync(path.join(project, 'src'));
    for (const file of ['index.ts', 'broken-drivers.ts', 'toy-driver.ts'])
      copyFileSync(
        path.join(repository, 'packages/driver-kit/test/fixtures/toy', file),
        path.join(project, 'src', file),
      );
    writeFileSync(
      path.join(project, 'src/index.ts'),
      readFileSync(path.join(project, 'src/index.ts'), 'utf8').replace(
        'declare const BROKEN: string',
        "const BROKEN = 'none'",
      ),
    );
    writeFileSync(
      path.join(project, 'murmur.yaml'),
      'name: murmur-driver-toy\nversion: 0.1.0\nruntime: driver\nrequires_files: [capsule.wasm]\n',
    );
    mkdirSync(path.join(project, 'node_modules'));
    const linked = path.join(repository, 'packages/driver-codex/node_modules/@murmur');
    symlinkSync(linked, path.join(project, 'node_modules/@murmur'));
    const built = await run('build', project);
    expect(built.code, built.stderr).toBe(0);
    const archive = path.join(project, 'dist/murmur-driver-toy-0.1.0.mur.zip');
    expect(built.stdout).toBe(`Built driver: ${archive}\n`);
    expect(existsSync(archive)).toBe(true);
    expect((await run('build', project)).stdout).toBe(`Unchanged: ${archive}\n`);
    expect((await run('check', project)).stdout).toContain('murmur-driver-toy@0.1.0');
    const other = await run('build', project, '--engine', 'starlingmonkey');
    expect(other.code).toBe(1);
    expect(other.stderr).toContain(
      'npm install --save-dev --save-exact @bytecodealliance/componentize-js@0.23.0',
    );
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
});

test('what drivers need is in no other bundle', () => {
  const cli = readFileSync(path.join(repository, 'apps/mur/dist/cli.js'), 'utf8');
  expect(cli).not.toContain('canary-bearer-token');
  expect(cli).not.toContain('x-never-heard-of');
});
