// `mur doctor`: every kind of row is provoked for real, and each says what `mur run` says of the same fault.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { diagnose, diagnoseWarning } from '@murmur/errors';
import { codexHome, ensureHarness } from '@murmur-tools/real-harnesses';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { driverArtifact, type FakeCase, fakeProject } from './support/fake.js';
import type { MurResult } from './support/mur.js';
import {
  codexDriver,
  fakeAgent,
  fakeDriver,
  makeHome,
  makeProject,
  type Project,
  removeAll,
} from './support/project.js';

interface Row {
  readonly block: string;
  readonly name: string;
  readonly status: string;
  readonly code?: string;
  readonly message: string;
  readonly remedy?: string;
}

interface Report {
  readonly manifest: string;
  readonly platform: string;
  readonly rows: readonly Row[];
  readonly summary: { readonly passed: number; readonly errors: number; readonly warnings: number };
}

const label = `${driverArtifact.name}@${driverArtifact.version}`;
const served = 'murmur:driver/process@0.6.0';
let home: string;
const projects: Project[] = [];
const homes: string[] = [];

beforeAll(() => {
  home = makeHome();
});

afterAll(() => removeAll(home, ...homes, ...projects.map(({ directory }) => directory)));

/** A harness that answers the login question by the given steps, and the version question likewise. */
function agentIn(project: Project, login: readonly unknown[], version?: readonly unknown[]): void {
  symlinkSync(fakeAgent, path.join(project.directory, 'agent'));
  project.write('agent.script.json', JSON.stringify(login));
  if (version !== undefined) project.write('agent.version.json', JSON.stringify(version));
}

interface DoctorCase extends Omit<FakeCase, 'home'> {
  readonly home?: string;
  readonly login?: readonly unknown[];
  readonly version?: readonly unknown[];
}

/** A project whose harness is signed in, unless the case says otherwise. */
async function sound(options: DoctorCase = {}): Promise<Project> {
  const { login = [{ exit: 0 }], version, change, ...rest } = options;
  const project = await fakeProject({
    home,
    ...rest,
    change(manifest) {
      manifest.inference.command = './agent';
      change?.(manifest);
    },
  });
  projects.push(project);
  agentIn(project, login, version);
  return project;
}

async function report(project: Project): Promise<{ result: MurResult; report: Report }> {
  const result = await project.run(['doctor', '--json']);
  expect(result.stderr).toBe('');
  return { result, report: JSON.parse(result.stdout) as Report };
}

/** The rows of one block, and the exit code. */
async function block(project: Project, name: string): Promise<{ rows: readonly Row[]; code: number | null }> {
  const { result, report: found } = await report(project);
  return { rows: found.rows.filter((row) => row.block === name), code: result.code };
}

const lockOf = (project: Project): string => path.join(project.directory, 'murmur.lock');
const editLock = (project: Project, change: (text: string) => string): void => {
  const before = readFileSync(lockOf(project), 'utf8');
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(lockOf(project), after);
};
const storedZip = (project: Project): string =>
  path.join(project.directory, `.murmur/artifacts/murmur-driver-fake/0.1.0/murmur-driver-fake-0.1.0.mur.zip`);
const pinned = (project: Project): string =>
  /\b[0-9a-f]{64}\b/.exec(readFileSync(lockOf(project), 'utf8'))?.[0] ?? '';

describe('a project without a fault', () => {
  test('passes all checks, and nothing goes to stderr', async () => {
    const project = await sound();
    const result = await project.run(['doctor']);
    expect(result.stderr).toBe('');
    expect(result.stdout).toContain('✓ login  signed in');
    expect(result.stdout).toContain(`✓ ${label}  platform-independent`);
    expect(result.stdout).toMatch(/\n\nAll checks passed\.\n$/);
    expect(result.code).toBe(0);
  });

  test('is found from a directory below it, and as one JSON document', async () => {
    const project = await sound();
    const below = path.join(project.directory, 'a/b');
    mkdirSync(below, { recursive: true });
    const result = await project.run(['doctor', '--json'], { cwd: below });
    const found = JSON.parse(result.stdout) as Report;
    expect(found.manifest).toBe(path.join(project.directory, 'murmur.yaml'));
    expect(found.platform).toMatch(/^linux-/);
    expect(found.summary).toEqual({
      passed: found.rows.filter(({ status }) => status === 'ok').length,
      errors: 0,
      warnings: 0,
    });
    expect(found.rows.map(({ block }) => block)).toEqual(
      expect.arrayContaining(['manifest', 'containment', 'home', 'environment', 'harness', 'artifacts']),
    );
  });

  test('is not written to: a missing lock is told and not made', async () => {
    const project = await sound();
    rmSync(lockOf(project));
    const { rows, code } = await block(project, 'artifacts');
    expect(rows).toContainEqual(expect.objectContaining({ name: lockOf(project), status: 'info' }));
    expect(code).toBe(0);
    expect(existsSync(lockOf(project))).toBe(false);
    expect(existsSync(path.join(project.directory, 'workdir'))).toBe(false);
  });
});

describe('without a project to look over', () => {
  const refused = async (project: Project, code: string, env?: Record<string, string>): Promise<void> => {
    projects.push(project);
    const result = await project.run(['doctor'], env === undefined ? {} : { env });
    expect(result.stderr).toMatch(new RegExp(`^error\\[${code}\\]: `));
    expect(result.stdout).toBe('');
    expect(result.code).toBe(1);
  };

  test('there is no manifest', () => refused(makeProject({ home }), 'E-IO-001'));

  test('the manifest is not YAML', async () => {
    const project = makeProject({ home });
    project.write('murmur.yaml', 'name: "a\n');
    await refused(project, 'E-MAN-002');
  });

  test('the lock cannot be used', async () => {
    const project = await sound();
    project.write('murmur.lock', '{');
    await refused(project, 'E-RUN-003');
  });

  test('there is no home', async () => {
    await refused(await sound(), 'E-RUN-903', { PATH: process.env.PATH ?? '' });
  });
});

describe('manifest', () => {
  test('a key that is not served fails, naming it', async () => {
    const project = await sound({
      change: (manifest) => {
        manifest.lifecycle = { after_task: 'sleep' };
      },
    });
    const { rows, code } = await block(project, 'manifest');
    expect(rows).toContainEqual(
      expect.objectContaining({
        status: 'error',
        code: 'E-MAN-901',
        message: expect.stringContaining('lifecycle.after_task'),
      }),
    );
    expect(code).toBe(1);
  });

  test('a configuration and a prompt that cannot be read fail side by side', async () => {
    const project = await sound({
      change: (manifest) => {
        manifest.inference.system_prompt_file = 'prompt.md';
      },
    });
    project.write('.murmur/config.yaml', 'containment: heavy\n');
    const { rows, code } = await block(project, 'manifest');
    expect(rows.map(({ name, status, code }) => [name, status, code])).toEqual([
      ['features', 'ok', undefined],
      ['configuration', 'error', 'E-IO-003'],
      ['system prompt', 'error', 'E-RUN-009'],
    ]);
    expect(code).toBe(1);
  });

  test('warns in the words of a run, on stderr', async () => {
    const project = await sound({
      change: (manifest) => {
        manifest.capabilities.network = { allow: ['example.org'] };
        manifest.unheard_of = 1;
      },
    });
    const doctor = await project.run(['doctor']);
    const run = await project.run(['run', '--task', 'x']);
    const warnings = (text: string): readonly string[] => text.match(/^.*warning\[W-SEC-.*$/gm) ?? [];
    expect(warnings(doctor.stderr)).toHaveLength(2);
    expect(warnings(doctor.stderr)).toEqual(warnings(run.stderr));
    expect(doctor.stdout).toMatch(/, 0 errors found, 2 warnings\.\n$/);
    expect(doctor.code).toBe(0);
  });
});

describe('what a run would be refused for', () => {
  test.each<[string, string, NonNullable<FakeCase['change']>, FakeCase['env']]>([
    [
      'a variable that is always removed',
      'E-CAP-016',
      (manifest) => manifest.capabilities.env.allow.push('OPENAI_API_KEY'),
      { OPENAI_API_KEY: 'k' },
    ],
    [
      'a floor that this host does not reach',
      'E-CAP-003',
      (manifest) => {
        manifest.capabilities.containment = 'sealed';
      },
      undefined,
    ],
  ])('%s is a warning and changes no exit code', async (_what, code, change, env) => {
    const project = await sound({ change, ...(env === undefined ? {} : { env }) });
    const found = await block(project, 'refusals');
    expect(found.rows).toEqual([expect.objectContaining({ status: 'warning', code })]);
    expect(found.code).toBe(0);
    const doctor = await project.run(['doctor']);
    expect(doctor.stdout).toContain(
      `[mur doctor] warning[${code}]: ${found.rows[0]?.message}; mur run will refuse`,
    );
    const run = await project.run(['run', '--task', 'x']);
    expect(run.stderr).toContain(`error[${code}]: ${found.rows[0]?.message}`);
  });

  test('the floor of the configuration counts as well', async () => {
    const project = await sound();
    project.write('.murmur/config.yaml', 'containment: scoped\n');
    const { rows } = await block(project, 'refusals');
    expect(rows.map(({ code }) => code)).toEqual(['E-CAP-003']);
  });

  test('needs of the harness that the manifest does not allow', async () => {
    const project = await sound({
      variant: 'needs',
      env: { FAKE_REQUIRED: '1' },
      change: (manifest) => manifest.capabilities.env.allow.push('FAKE_REQUIRED'),
    });
    const { rows, code } = await block(project, 'refusals');
    expect(rows).toEqual([
      expect.objectContaining({ code: 'E-CAP-021', message: expect.stringContaining('~/.fake-agent') }),
    ]);
    expect(code).toBe(0);
  });

  test('a variable that the driver requires and the manifest does not allow', async () => {
    const project = await sound({ variant: 'needs' });
    const { result, report: found } = await report(project);
    expect(found.rows.filter(({ block }) => block === 'refusals').map(({ code }) => code)).toEqual([
      'E-CAP-019',
    ]);
    // Required and set nowhere: that fails.
    expect(found.rows).toContainEqual(
      expect.objectContaining({ block: 'environment', name: 'FAKE_REQUIRED', code: 'E-CAP-014' }),
    );
    expect(result.code).toBe(1);
  });
});

describe('Murmur home', () => {
  test('what others can read is told with its mode, and private files are not', async () => {
    const own = makeHome();
    homes.push(own);
    const project = await sound({ home: own });
    const root = path.join(own, '.murmur');
    mkdirSync(path.join(root, 'conversations/a'), { recursive: true, mode: 0o700 });
    const open = path.join(root, 'conversations/a/log');
    writeFileSync(open, '');
    chmodSync(open, 0o640);
    const config = path.join(root, 'config.yaml');
    writeFileSync(config, 'containment: advisory\n');
    chmodSync(config, 0o600);
    chmodSync(root, 0o755);
    const { rows, code } = await block(project, 'home');
    const wide = (file: string, mode: string): string =>
      diagnoseWarning({ code: 'W-SEC-028', path: file, mode }).message;
    expect(rows.filter(({ status }) => status === 'warning')).toEqual([
      expect.objectContaining({
        name: root,
        code: 'W-SEC-028',
        message: `${wide(root, '0755')}, wider than 0700`,
      }),
      expect.objectContaining({
        name: open,
        code: 'W-SEC-028',
        message: `${wide(open, '0640')}, wider than 0600`,
      }),
    ]);
    expect(rows).toContainEqual(expect.objectContaining({ name: config, status: 'ok', message: '0600' }));
    expect(rows).toContainEqual(
      expect.objectContaining({ name: path.join(root, 'spend'), message: 'absent' }),
    );
    expect(code).toBe(0);
  });

  test('a link is told as one and not followed', async () => {
    const own = makeHome();
    homes.push(own);
    const project = await sound({ home: own });
    const elsewhere = path.join(own, 'elsewhere');
    mkdirSync(elsewhere, { mode: 0o755 });
    const root = path.join(own, '.murmur');
    mkdirSync(root, { recursive: true, mode: 0o700 });
    symlinkSync(elsewhere, path.join(root, 'spend'));
    const { rows, code } = await block(project, 'home');
    expect(rows).toContainEqual(
      expect.objectContaining({
        name: path.join(root, 'spend'),
        status: 'info',
        message: expect.stringContaining('a link'),
      }),
    );
    expect(code).toBe(0);
  });

  test('of one directory at most 20 findings are told', async () => {
    const own = makeHome();
    homes.push(own);
    const project = await sound({ home: own });
    const running = path.join(own, '.murmur/running');
    mkdirSync(running, { recursive: true, mode: 0o700 });
    for (let n = 0; n < 30; n += 1) writeFileSync(path.join(running, `${n}.json`), '', { mode: 0o644 });
    const { rows } = await block(project, 'home');
    expect(rows.filter(({ name }) => name.startsWith(`${running}/`))).toHaveLength(20);
  });
});

describe('environment requirements', () => {
  test('a variable that is set nowhere fails; one in .env or set to nothing does not', async () => {
    const project = await sound({
      env: { EMPTY: '' },
      change: (manifest) =>
        manifest.capabilities.env.allow.push('EMPTY', 'IN_FILE', 'NOWHERE', 'NOWHERE_TOO'),
    });
    project.write('.env', 'IN_FILE=hidden-value\n');
    const result = await project.run(['doctor']);
    for (const name of ['EMPTY', 'IN_FILE']) expect(result.stdout).toContain(`✓ ${name}  set`);
    expect(result.stdout).toContain('✗ NOWHERE — unset [E-CAP-014]');
    const { message, hint } = diagnose({
      variant: null,
      code: 'E-CAP-014',
      names: ['NOWHERE', 'NOWHERE_TOO'],
    });
    expect(result.stderr).toContain(`error[E-CAP-014]: ${message}\n`);
    expect(result.stdout).toContain(`Fix: ${hint}\n`);
    expect(result.stdout + result.stderr).not.toContain('hidden-value');
    expect(result.code).toBe(1);
  });
});

describe('harness', () => {
  const named = (rows: readonly Row[], name: string): Row | undefined =>
    rows.find((row) => row.name === name);

  test.each<[string, DoctorCase, string, Partial<Row>, number]>([
    ['is signed out', { login: [{ exit: 1 }] }, 'login', { status: 'error' }, 1],
    ['cannot tell', { login: [{ exit: 7 }] }, 'login', { status: 'warning' }, 0],
    ['knows no login', { variant: 'login-unavailable' }, 'login', { status: 'info' }, 0],
    [
      'is of an untested version',
      { version: [{ print: '9.9' }] },
      'version',
      { status: 'warning', code: 'W-RUN-002' },
      0,
    ],
    ['prints no version', { version: [{ exit: 3 }] }, 'version', { status: 'warning', code: 'W-RUN-002' }, 0],
    [
      'describes itself unusably',
      { variant: 'bad-host' },
      'driver',
      { status: 'error', code: 'E-RUN-032' },
      1,
    ],
    ['traps', { variant: 'describe-traps' }, 'driver', { status: 'error', code: 'E-RUN-032' }, 1],
    [
      'is not installed',
      { change: ({ inference }) => Object.assign(inference, { command: 'no-such-program' }) },
      'binary',
      { status: 'error', code: 'E-RUN-006' },
      1,
    ],
  ])('%s', async (_what, options, name, expected, exit) => {
    const { rows, code } = await block(await sound(options), 'harness');
    expect(named(rows, name)).toMatchObject(expected);
    if (name === 'binary') expect(named(rows, 'version') ?? named(rows, 'login')).toBeUndefined();
    expect(code).toBe(exit);
  });

  test('gets the allowed variables and no others', async () => {
    const project = await sound({
      env: { ALLOWED: 'yes', HIDDEN: 'no' },
      change: (manifest) => manifest.capabilities.env.allow.push('ALLOWED'),
      login: [{ snapshot: 'seen.json' }],
    });
    await project.run(['doctor']);
    const { env } = JSON.parse(readFileSync(path.join(project.directory, 'seen.json'), 'utf8')) as {
      env: Record<string, string>;
    };
    expect(env.ALLOWED).toBe('yes');
    expect(env).not.toHaveProperty('HIDDEN');
  });

  test('cannot write to the terminal through what it answers', async () => {
    const project = await sound({ version: [{ print: '\u001b]0;owned\u0007 9.9' }] });
    expectNoControl((await project.run(['doctor'])).stdout);
  });
});

test('a file name cannot write to the terminal', async () => {
  const own = makeHome();
  homes.push(own);
  const project = await sound({ home: own });
  const running = path.join(own, '.murmur/running');
  mkdirSync(running, { recursive: true, mode: 0o700 });
  writeFileSync(path.join(running, '\u001b[2Jx\ny'), '', { mode: 0o644 });
  const { stdout } = await project.run(['doctor']);
  expect(stdout).toContain('[W-SEC-028]');
  expectNoControl(stdout);
  expect(stdout).not.toMatch(/^y/m);
});

/** Nothing but text and line feeds. */
function expectNoControl(text: string): void {
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
}

describe('interface versions', () => {
  const fakeOf = async (): Promise<Project> => sound({ variant: 'other-interface-version' });

  test('a declared artifact that speaks another version fails, once', async () => {
    const { result, report: found } = await report(await fakeOf());
    expect(found.rows.filter(({ status }) => status === 'error')).toEqual([
      expect.objectContaining({
        block: 'interfaces',
        name: label,
        code: 'E-RUN-029',
        message: expect.stringContaining(served),
      }),
    ]);
    expect(result.code).toBe(1);
  });

  test('one that is not declared is a warning', async () => {
    const project = await sound();
    const other = await fakeOf();
    // Another project's driver, filed in the store that all share.
    const installed = await other.run(['install', '-g', fakeDriver('other-interface-version')]);
    expect(installed.code).toBe(0);
    const version = path.join(home, '.murmur/artifacts/murmur-driver-fake');
    expect(existsSync(version)).toBe(true);
    try {
      const manifest = JSON.parse(readFileSync(path.join(project.directory, 'murmur.yaml'), 'utf8'));
      project.writeManifest({ ...manifest, artifacts: [], inference: undefined });
      rmSync(path.join(project.directory, '.murmur'), { recursive: true });
      const { rows } = await block(project, 'interfaces');
      expect(rows).toEqual([expect.objectContaining({ name: label, status: 'warning', code: 'W-REG-003' })]);
    } finally {
      rmSync(version, { recursive: true });
    }
  });
});

describe('checklist', () => {
  const rowOf = async (project: Project): Promise<Row> => {
    const { rows, code } = await block(project, 'artifacts');
    expect(code).toBe(1);
    const found = rows.find(({ name }) => name === label);
    expect(found?.status).toBe('error');
    return found as Row;
  };

  test('an artifact that is not installed, and the harness is not asked', async () => {
    const project = await sound();
    rmSync(path.join(project.directory, '.murmur'), { recursive: true });
    expect(await rowOf(project)).toMatchObject({ code: 'E-RUN-008', message: 'missing' });
    const { rows } = await block(project, 'harness');
    expect(rows).toEqual([expect.objectContaining({ status: 'info' })]);
    const { stdout } = await project.run(['doctor']);
    expect(stdout).toContain(`✗ ${label} — missing [E-RUN-008]`);
    expect(stdout).toMatch(/\nFix: /);
  });

  test('a store that cannot be used fails, as it fails a run', async () => {
    const project = await sound();
    const store = path.join(project.directory, '.murmur/artifacts');
    renameSync(store, path.join(project.directory, 'moved'));
    symlinkSync(path.join(project.directory, 'moved'), store);
    const { rows, code } = await block(project, 'artifacts');
    expect(rows.map(({ name, code }) => [name, code])).toEqual([
      [store, 'E-RUN-904'],
      [label, 'E-RUN-904'],
    ]);
    expect(code).toBe(1);
    expect((await project.run(['run', '--task', 'x'])).stderr).toMatch(/^error\[E-RUN-904\]/);
  });

  test('an artifact that is there for another platform only', async () => {
    const project = await sound();
    const directory = path.dirname(storedZip(project));
    const stem = path.join(directory, 'murmur-driver-fake-0.1.0');
    for (const end of ['.mur.zip', '.sha256', '.meta.json']) {
      writeFileSync(`${stem}-darwin-aarch64${end}`, readFileSync(`${stem}${end}`));
      rmSync(`${stem}${end}`);
    }
    expect((await rowOf(project)).message).toMatch(/built for darwin-aarch64, this host is linux-/);
  });

  test('an artifact without a pin', async () => {
    const project = await sound();
    editLock(project, (text) => text.replace(driverArtifact.name, 'somebody-else'));
    expect(await rowOf(project)).toMatchObject({ code: 'E-RUN-003' });
    const { rows } = await block(project, 'artifacts');
    expect(rows).toContainEqual(
      expect.objectContaining({
        name: 'somebody-else@0.1.0',
        status: 'info',
        message: 'pinned, not declared',
      }),
    );
  });

  test('another version than the pinned one', async () => {
    const project = await sound();
    editLock(project, (text) => text.replace('0.1.0', '0.2.0'));
    expect(await rowOf(project)).toMatchObject({
      code: 'E-RUN-003',
      message: expect.stringContaining('0.2.0'),
    });
  });

  test('other bytes than the pinned ones: both digests', async () => {
    const project = await sound();
    const actual = pinned(project);
    const expected = actual.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    editLock(project, (text) => text.replace(actual, expected));
    const row = await rowOf(project);
    expect(row.code).toBe('E-REG-002');
    expect(row.message).toContain(`\nexpected ${expected}\nactual   ${actual}`);
  });

  test('bytes that changed in the store: the recorded digest and the real one', async () => {
    const project = await sound();
    const expected = pinned(project);
    writeFileSync(storedZip(project), Buffer.concat([readFileSync(storedZip(project)), Buffer.from('x')]));
    const row = await rowOf(project);
    expect(row.code).toBe('E-REG-002');
    expect(row.message).toMatch(new RegExp(`\\nexpected ${expected}\\nactual {3}[0-9a-f]{64}$`));
    expect(row.message.endsWith(expected)).toBe(false);
  });

  test('no digest for this platform', async () => {
    const project = await sound();
    editLock(project, (text) => text.replace(/any: (.*)/, 'platforms: { darwin-x86_64: $1 }'));
    expect(await rowOf(project)).toMatchObject({
      code: 'E-RUN-003',
      message: expect.stringContaining('darwin-x86_64'),
    });
  });

  test('a pin of a running capsule for a driver', async () => {
    const project = await sound();
    editLock(project, (text) =>
      text.replace('origin: operator', `origin: runtime\n    session: ses_${'0'.repeat(32)}`),
    );
    expect(await rowOf(project)).toMatchObject({ code: 'E-RUN-043' });
  });
});

test('a tool that a running capsule pinned is worth a look', async () => {
  const project = await sound();
  const manifest: unknown = JSON.parse(readFileSync(path.join(project.directory, 'murmur.yaml'), 'utf8'));
  project.writeManifest({
    ...(manifest as object),
    artifacts: [{ ...driverArtifact, runtime: 'tool' }],
    inference: undefined,
  });
  editLock(project, (text) =>
    text.replace('origin: operator', `origin: runtime\n    session: ses_${'0'.repeat(32)}`),
  );
  const { rows } = await block(project, 'artifacts');
  expect(rows).toEqual([expect.objectContaining({ name: label, status: 'warning' })]);
});

describe('the real Codex', () => {
  test('is found, of a tested version, and not signed in', async () => {
    const own = makeHome();
    homes.push(own);
    const codex = await ensureHarness('codex');
    await codexHome(path.join(own, '.codex'), 'http://127.0.0.1:9');
    const project = makeProject({
      home: own,
      manifest: {
        name: 'codex-case',
        version: '0.1.0',
        artifacts: [{ name: 'murmur-driver-codex', version: '0.1.0', runtime: 'driver' }],
        inference: { transport: 'process', command: codex, driver: { artifact: 'murmur-driver-codex' } },
        capabilities: {
          env: { allow: ['HOME', 'PATH'] },
          network: { allow: ['api.openai.com', 'auth.openai.com', 'chatgpt.com'] },
          harness: { paths: [{ path: '~/.codex', access: 'read-write' }] },
        },
      },
    });
    projects.push(project);
    expect((await project.run(['install', codexDriver])).code).toBe(0);
    const { rows, code } = await block(project, 'harness');
    expect(rows.map(({ name, status }) => [name, status])).toEqual([
      ['driver', 'ok'],
      ['binary', 'ok'],
      ['version', 'ok'],
      ['login', 'error'],
    ]);
    expect(code).toBe(1);
  });
});
