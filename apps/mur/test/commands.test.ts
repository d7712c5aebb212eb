// The commands around `mur run`: explain, build, install, list, and what every command has in common.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fakeProject } from './support/fake.js';
import { fakeDriver, makeHome, makeProject, type Project, removeAll } from './support/project.js';

let home: string;
const projects: Project[] = [];

beforeAll(() => {
  home = makeHome();
});

afterAll(() => removeAll(home, ...projects.map(({ directory }) => directory)));

const plain = (manifest?: unknown): Project => {
  const project = makeProject({ home, ...(manifest === undefined ? {} : { manifest }) });
  projects.push(project);
  return project;
};

const declared = { name: 'murmur-driver-fake', version: '0.1.0', runtime: 'driver' };
const capsule = {
  name: 'a',
  version: '1',
  artifacts: [declared],
  inference: { transport: 'process', driver: { artifact: declared.name } },
};

describe('mur', () => {
  test('prints its version, alone and fast or among others', async () => {
    const { version } = JSON.parse(
      readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8'),
    ) as { version: string };
    for (const args of [['--version'], ['-V']]) {
      expect(await plain().run(args)).toMatchObject({ code: 0, stdout: `mur ${version}\n`, stderr: '' });
    }
  });

  test('without a command, and with --help, lists the commands on stdout', async () => {
    for (const args of [[], ['--help']]) {
      const result = await plain().run(args);
      expect(result.code).toBe(0);
      for (const command of ['run', 'build', 'install', 'list', 'explain'])
        expect(result.stdout).toContain(command);
    }
  });

  test('a closed stdout changes no exit code', async () => {
    const project = await fakeProject({ home });
    projects.push(project);
    const { spawn } = await import('node:child_process');
    const { murBinary } = await import('./support/mur.js');
    const child = spawn(
      'sh',
      ['-c', 'exec "$@" >&- 2>&-', 'sh', process.execPath, murBinary, 'run', '--task', 'x'],
      { cwd: project.directory, env: project.env },
    );
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
    expect(project.result()).toBe('fine');
  });
});

describe('mur explain', () => {
  test('explains every entry of a code, in any letter case', async () => {
    const result = await plain().run(['explain', 'e-run-003']);
    expect(result.code).toBe(0);
    for (const variant of ['LockMissingEntry', 'LockVersionMismatch'])
      expect(result.stdout).toContain(variant);
  });

  test('--json prints the catalog: 72 base conditions among the rows, each with its keys', async () => {
    const result = await plain().run(['explain', '--json']);
    const rows = JSON.parse(result.stdout) as Record<string, unknown>[];
    const base = JSON.parse(
      readFileSync(
        path.join(import.meta.dirname, '../../../packages/errors/test/conditions.golden.json'),
        'utf8',
      ),
    ) as { variant: string; code: string }[];
    expect(base).toHaveLength(72);
    for (const { variant, code } of base)
      expect(rows.find((row) => row.variant === variant)?.code).toBe(code);
    for (const row of rows)
      expect(Object.keys(row)).toEqual(['variant', 'code', 'stage', 'fields', 'message', 'remedy']);
    expect(JSON.parse((await plain().run(['explain', 'W-RUN-002', '--json'])).stdout)).toHaveLength(1);
  });

  test('an unknown code is a mistake in the arguments', async () => {
    expect(await plain().run(['explain', 'E-RUN-777'])).toMatchObject({ code: 2, stdout: '' });
    expect((await plain().run(['explain'])).code).toBe(2);
  });
});

describe('mur build', () => {
  const source = (project: Project, manifest: string): void => {
    project.write('artifact/murmur.yaml', manifest);
    project.write('artifact/skill.md', '# A skill\n');
  };

  test('packs the manifest and what it requires; the same input gives the same bytes', async () => {
    const project = plain();
    source(project, 'name: a-skill\nversion: 1.10\nruntime: skill\n');
    const built = await project.run(['build', 'artifact']);
    const file = path.join(project.directory, 'artifact/a-skill-1.10.mur.zip');
    expect(built).toMatchObject({ code: 0, stdout: `Built artifact: ${file}\n` });
    expect((await project.run(['build', 'artifact', '-o', 'other.mur.zip'])).code).toBe(0);
    expect(readFileSync(path.join(project.directory, 'other.mur.zip')).equals(readFileSync(file))).toBe(true);
  });

  test('refuses with a code and writes nothing', async () => {
    const project = plain();
    const refusals: [string, RegExp][] = [
      ['name: Bad_Name\nversion: 1\nruntime: skill\n', /error\[E-BLD-001\][^\n]*Bad_Name/],
      [
        'name: a\nversion: 1\nruntime: skill\nrequires_files: [../out]\n',
        /error\[E-BLD-002\][^\n]*\.\.\/out/,
      ],
      ['name: a\nversion: 1\nruntime: tool\nrequires_files: [skill.md]\n', /error\[E-BLD-003\]/],
      ['name: a\nversion: 1\nruntime: skill\ninference_auth: {}\n', /error\[E-BLD-004\]/],
      ['name: a\nruntime: skill\n', /error\[E-MAN-001\][^\n]*version/],
      ['name: [\n', /error\[E-MAN-002\]/],
    ];
    for (const [manifest, pattern] of refusals) {
      source(project, manifest);
      const result = await project.run(['build', 'artifact', '-o', 'x.mur.zip']);
      expect(result.stderr, manifest).toMatch(pattern);
      expect(result.code).toBe(1);
      expect(existsSync(path.join(project.directory, 'x.mur.zip'))).toBe(false);
    }
    expect((await project.run(['build', 'nowhere'])).stderr).toMatch(/error\[E-IO-001\]/);
  });
});

describe('mur install and mur list', () => {
  test('files an archive, pins it where it is declared, and installing again changes nothing', async () => {
    const project = plain(capsule);
    const first = await project.run(['install', fakeDriver('plain')]);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(
      /^Installed murmur-driver-fake@0\.1\.0 → .*\/\.murmur\/artifacts\/murmur-driver-fake\/0\.1\.0\/murmur-driver-fake-0\.1\.0\.mur\.zip\n$/,
    );
    const lock = readFileSync(path.join(project.directory, 'murmur.lock'), 'utf8');
    expect(lock).toMatch(/name: murmur-driver-fake[\s\S]*origin: operator/);
    expect((await project.run(['install', fakeDriver('plain')])).code).toBe(0);
    expect((await project.run(['install'])).stdout).toMatch(/^Installed murmur-driver-fake@0\.1\.0 from /);
    expect(readFileSync(path.join(project.directory, 'murmur.lock'), 'utf8')).toBe(lock);
    expect((await project.run(['list'])).stdout).toMatch(
      /^NAME +VERSION +RUNTIME +PLATFORMS\nmurmur-driver-fake +0\.1\.0 +driver +—\n$/,
    );
    expect(JSON.parse((await project.run(['list', '--all', '--json'])).stdout)).toMatchObject([
      { scope: 'project', name: 'murmur-driver-fake', version: '0.1.0' },
    ]);
  });

  test('compiles a driver ahead, so that its first run need not', async () => {
    const own = makeHome();
    const project = makeProject({ home: own, manifest: capsule });
    projects.push(project);
    await project.run(['install', fakeDriver('plain')]);
    expect(existsSync(path.join(own, '.murmur/compiled/compiled'))).toBe(true);
    removeAll(own);
  });

  test('other bytes under a pinned version are refused: nothing is filed', async () => {
    const project = plain(capsule);
    await project.run(['install', fakeDriver('plain')]);
    const stored = path.join(
      project.directory,
      '.murmur/artifacts/murmur-driver-fake/0.1.0/murmur-driver-fake-0.1.0.mur.zip',
    );
    const before = readFileSync(stored);
    const result = await project.run(['install', fakeDriver('needs')]);
    expect(result.stderr).toMatch(/error\[E-REG-005\]/);
    expect(result.code).toBe(1);
    expect(readFileSync(stored).equals(before)).toBe(true);
  });

  test('an artifact that the manifest does not declare is filed and not pinned, and says so', async () => {
    const project = plain({ name: 'a', version: '1' });
    const result = await project.run(['install', fakeDriver('plain')]);
    expect(result).toMatchObject({ code: 0 });
    expect(result.stderr).toContain('not pinned');
    expect(existsSync(path.join(project.directory, 'murmur.lock'))).toBe(false);
  });

  test('the global store serves any project; what is nowhere is named, all of it', async () => {
    const project = plain({
      ...capsule,
      artifacts: [declared, { name: 'other-driver', version: '2', runtime: 'driver' }],
    });
    const missing = await project.run(['install']);
    expect(missing.code).toBe(1);
    for (const name of ['murmur-driver-fake@0.1.0', 'other-driver@2']) expect(missing.stderr).toContain(name);
    expect(missing.stderr).toContain('2 of 2 artifact(s) failed to install');
    expect((await plain().run(['install', '-g', fakeDriver('plain')])).code).toBe(0);
    const partly = await project.run(['install']);
    expect(partly.stderr).toContain('1 of 2 artifact(s) failed to install');
    expect(readFileSync(path.join(project.directory, 'murmur.lock'), 'utf8')).toContain('murmur-driver-fake');
    expect((await plain().run(['list', '-g'])).stdout).toContain('murmur-driver-fake');
    rmSync(path.join(home, '.murmur/artifacts'), { recursive: true });
  });

  test('outside a project there is nowhere to install to', async () => {
    const result = await plain().run(['install', fakeDriver('plain')]);
    expect(result.stderr).toMatch(/error\[E-IO-001\][^\n]*--global/);
    expect((await plain().run(['list'])).code).toBe(1);
  });

  test('bytes that are no archive are refused', async () => {
    const project = plain(capsule);
    mkdirSync(path.join(project.directory, 'x'));
    writeFileSync(path.join(project.directory, 'x/junk.mur.zip'), 'not a zip');
    expect((await project.run(['install', 'x/junk.mur.zip'])).stderr).toMatch(/error\[E-IO-003\]/);
  });
});
