// Refusals of `mur run` that come before a session exists: each happens for real, and leaves nothing behind.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { driverArtifact, type FakeCase, fakeProject } from './support/fake.js';
import { makeHome, makeProject, type Project, removeAll } from './support/project.js';
import { type Raised, raises, somewhere } from './support/raises.js';

/** The uid that the permission cases run as: root would not be refused. */
const ORDINARY = 65534;

let home: string;
const projects: Project[] = [];

beforeAll(() => {
  home = makeHome();
});

afterAll(() => removeAll(home, ...projects.map(({ directory }) => directory)));

const fake = async (options: Omit<FakeCase, 'home'> = {}): Promise<Project> => {
  const project = await fakeProject({ home, ...options });
  projects.push(project);
  return project;
};

const plain = (manifest?: unknown): Project => {
  const project = makeProject({ home, ...(manifest === undefined ? {} : { manifest }) });
  projects.push(project);
  return project;
};

/** Runs the capsule; a refusal may leave neither records nor a workdir. */
async function refused(
  project: Project,
  condition: Raised['condition'],
  args: readonly string[] = ['run', '--task', 'x'],
): Promise<Raised> {
  const result = await project.run(args);
  expect(project.records()).toEqual([]);
  expect(existsSync(path.join(project.directory, 'workdir'))).toBe(false);
  return { result, condition };
}

const manifestOf = (project: Project): string => path.join(project.directory, 'murmur.yaml');
const lockOf = (project: Project): string => path.join(project.directory, 'murmur.lock');
const editLock = (project: Project, change: (text: string) => string): void =>
  writeFileSync(lockOf(project), change(readFileSync(lockOf(project), 'utf8')));
const storedZip = (project: Project): string =>
  path.join(project.directory, '.murmur/artifacts/murmur-driver-fake/0.1.0/murmur-driver-fake-0.1.0.mur.zip');

// --- the manifest -----------------------------------------------------------------------------------------------

raises('E-IO-001', 'there is no manifest', async () => {
  const project = plain();
  return refused(project, {
    variant: null,
    code: 'E-IO-001',
    what: 'capsule manifest',
    path: manifestOf(project),
  });
});

raises('E-IO-002', 'the manifest may not be read (as an ordinary user)', async () => {
  const project = plain({ name: 'a', version: '1' });
  chmodSync(project.directory, 0o755);
  chmodSync(manifestOf(project), 0o000);
  const result = await project.run(['run', '--task', 'x'], { uid: ORDINARY });
  const source = { code: 'EACCES', message: somewhere(/[^\n]*/) };
  return {
    result,
    condition: {
      variant: null,
      code: 'E-IO-002',
      operation: 'read the capsule manifest',
      path: manifestOf(project),
      source,
    },
  };
});

raises('E-IO-003', 'the manifest is a directory', async () => {
  const project = plain();
  mkdirSync(manifestOf(project));
  return refused(project, {
    variant: null,
    code: 'E-IO-003',
    operation: 'read the capsule manifest',
    path: manifestOf(project),
    reason: somewhere(/[^\n]*/),
  });
});

raises('E-MAN-001', 'the manifest has no version', async () => {
  const project = plain();
  project.write('murmur.yaml', 'name: only-a-name\n');
  return refused(project, { variant: null, code: 'E-MAN-001', file: manifestOf(project), key: 'version' });
});

raises('E-MAN-002', 'the manifest is not YAML', async () => {
  const project = plain();
  project.write('murmur.yaml', 'name: a\nversion: "1\n');
  return refused(project, {
    variant: null,
    code: 'E-MAN-002',
    file: manifestOf(project),
    line: 3,
    column: 1,
    reason: somewhere(/[^\n]*/),
  });
});

raises('E-MAN-003', 'a value has the wrong type', async () => {
  const project = plain();
  project.write(
    'murmur.yaml',
    'name: a\nversion: 1.10\ninference:\n  transport: process\n  max_turns: many\n',
  );
  return refused(project, {
    variant: null,
    code: 'E-MAN-003',
    file: manifestOf(project),
    line: 5,
    column: 14,
    key: 'inference.max_turns',
    value: somewhere(/[^\n]*many[^\n]*/),
    problem: somewhere(/[^\n]*/),
    remedy: null,
  });
});

test('E-MAN-901: every key that asks for what this build does not serve is named, with its place', async () => {
  const project = plain();
  project.write(
    'murmur.yaml',
    'name: a\nversion: "1"\ninference:\n  transport: http\n  model: m\n  driver: { artifact: d }\nartifacts:\n  - { name: d, version: "1", runtime: driver, gateway: { endpoint: "https://x.test", keyless: true } }\n  - { name: h, version: "1", runtime: hook }\n',
  );
  const result = await project.run(['run', '--task', 'x']);
  expect(result.stderr).toMatch(/^error\[E-MAN-901\]/m);
  for (const key of ['inference.transport', 'artifacts[0].gateway', 'artifacts[1]'])
    expect(result.stderr).toContain(key);
  expect(result.code).toBe(1);
  expect(project.records()).toEqual([]);
});

// --- grants -----------------------------------------------------------------------------------------------------

raises('EnvAllowStrippedByBackstop', 'env.allow names provider keys', async () => {
  const project = await fake({
    change: (manifest) => manifest.capabilities.env.allow.push('OPENAI_API_KEY', 'AWS_PROFILE'),
  });
  return refused(project, {
    variant: 'EnvAllowStrippedByBackstop',
    entries: [
      { name: 'OPENAI_API_KEY', pattern: 'OPENAI_API_KEY', source: 'credential backstop' },
      { name: 'AWS_PROFILE', pattern: 'AWS_*', source: 'credential backstop' },
    ],
  });
});

for (const declared of ['scoped', 'sealed'] as const) {
  raises(
    'ContainmentFloorUnmet',
    'the manifest declares a class that this build does not deliver',
    async () => {
      const project = await fake({
        change: (manifest) => Object.assign(manifest.capabilities, { containment: declared }),
      });
      return refused(project, {
        variant: 'ContainmentFloorUnmet',
        declared,
        achieved: 'advisory',
        reason: somewhere(/[^\n]+/),
      });
    },
  );
}

raises('ContainmentFloorUnmet', '--containment asks for more than this build delivers', async () => {
  const project = await fake();
  return refused(
    project,
    {
      variant: 'ContainmentFloorUnmet',
      declared: 'sealed',
      achieved: 'advisory',
      reason: somewhere(/[^\n]+/),
    },
    ['run', '--containment', 'sealed', '--task', 'x'],
  );
});

raises('InvalidNetworkAllowEntry', 'an entry has a path', async () => {
  const project = await fake({
    change: (manifest) =>
      Object.assign(manifest.capabilities, { network: { allow: ['https://a.test/path'] } }),
  });
  return refused(project, {
    variant: 'InvalidNetworkAllowEntry',
    entry: 'https://a.test/path',
    message: somewhere(/[^\n]+/),
  });
});

raises('InvalidFilesystemScope', 'the scope leads out of the workdir', async () => {
  const project = await fake({
    change: (manifest) => Object.assign(manifest.capabilities, { filesystem: { scope: '../x' } }),
  });
  return refused(project, { variant: 'InvalidFilesystemScope', scope: '../x', message: somewhere(/[^\n]+/) });
});

raises('InvalidReadOnlyPath', 'a blank entry', async () => {
  const project = await fake({
    change: (manifest) => Object.assign(manifest.capabilities, { filesystem: { read_only: [' '] } }),
  });
  return refused(project, { variant: 'InvalidReadOnlyPath', path: ' ', message: somewhere(/[^\n]+/) });
});

raises('InvalidConversationRecord', '--context is no single name', async () => {
  const project = await fake();
  return refused(
    project,
    { variant: 'InvalidConversationRecord', field: '--context', value: 'a/b', message: somewhere(/[^\n]+/) },
    ['run', '--context', 'a/b', '--task', 'x'],
  );
});

raises('ReservedToolName', 'an artifact carries the name of a tool that the runtime provides', async () => {
  const project = await fake({
    change: (manifest) => manifest.artifacts.push({ name: 'submit-plan', version: '1', runtime: 'driver' }),
  });
  return refused(project, { variant: 'ReservedToolName', name: 'submit-plan' });
});

raises('GatewayWithoutCredential', 'a gateway says nothing about its key', async () => {
  const endpoint = 'https://api.example.test';
  const project = plain({
    name: 'a',
    version: '1',
    artifacts: [{ name: 'other', version: '1', runtime: 'tool', gateway: { endpoint } }],
  });
  return refused(project, { variant: 'GatewayWithoutCredential', name: 'other', endpoint });
});

// --- the lock and the stores ------------------------------------------------------------------------------------

raises('LockMissingEntry', 'the lock has no entry for the driver', async () => {
  const project = await fake();
  writeFileSync(lockOf(project), 'lock_version: 2\nartifacts: []\n');
  return refused(project, { variant: 'LockMissingEntry', name: driverArtifact.name });
});

raises('LockVersionMismatch', 'the lock pins another version', async () => {
  const project = await fake();
  editLock(project, (text) => text.replace(/resolved_version: .*/, 'resolved_version: 0.0.9'));
  return refused(project, {
    variant: 'LockVersionMismatch',
    name: driverArtifact.name,
    requested: '0.1.0',
    pinned: '0.0.9',
  });
});

raises('RuntimeOriginNotDeclarable', 'the driver was pinned by a running capsule', async () => {
  const project = await fake();
  const session = `ses_${'0'.repeat(12)}7${'0'.repeat(3)}8${'0'.repeat(15)}`;
  editLock(project, (text) => text.replace(/origin: operator/, `origin: runtime\n    session: ${session}`));
  return refused(project, {
    variant: 'RuntimeOriginNotDeclarable',
    ...driverArtifact,
    session,
    declared_as: 'runtime: driver',
  });
});

raises('ArtifactIntegrityFailed', 'the lock pins another hash', async () => {
  const project = await fake();
  editLock(project, (text) => text.replace(/any: [0-9a-f]{4}/, 'any: 0000'));
  return refused(project, { variant: 'ArtifactIntegrityFailed', ...driverArtifact });
});

raises('ArtifactIntegrityFailed', 'the stored bytes were changed', async () => {
  const project = await fake();
  const bytes = readFileSync(storedZip(project));
  bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 0xff, bytes.length >> 1);
  writeFileSync(storedZip(project), bytes);
  return refused(project, { variant: 'ArtifactIntegrityFailed', ...driverArtifact });
});

raises('ArtifactArchive', 'the stored archive is cut, and its recorded hash agrees', async () => {
  const project = await fake();
  const { createHash } = await import('node:crypto');
  const cut = readFileSync(storedZip(project)).subarray(0, -40);
  const sha256 = createHash('sha256').update(cut).digest('hex');
  writeFileSync(storedZip(project), cut);
  writeFileSync(storedZip(project).replace(/\.mur\.zip$/, '.sha256'), sha256);
  rmSync(lockOf(project));
  return refused(project, { variant: 'ArtifactArchive', ...driverArtifact, message: somewhere(/[^\n]+/) });
});

test('E-RUN-008: nothing is installed: every missing artifact is named', async () => {
  const project = plain({
    name: 'a',
    version: '1',
    artifacts: [{ ...driverArtifact, runtime: 'driver' }],
    inference: { transport: 'process', driver: { artifact: driverArtifact.name } },
  });
  const result = await project.run(['run', '--task', 'x']);
  expect(result.stderr).toMatch(/error\[E-RUN-008\][^\n]*murmur-driver-fake@0\.1\.0/);
  expect(result.code).toBe(1);
});

test('E-RUN-003: a lock that cannot be used names its fault', async () => {
  const project = await fake();
  writeFileSync(lockOf(project), 'lock_version: 1\nartifacts: []\n');
  const result = await project.run(['run', '--task', 'x']);
  expect(result.stderr).toMatch(/error\[E-RUN-003\][^\n]*lock_version/);
  expect(result.code).toBe(1);
});

// --- the driver -------------------------------------------------------------------------------------------------

raises('DriverNotConfigured', 'inference names no driver', async () => {
  const project = await fake({
    change: (manifest) => Object.assign(manifest.inference, { driver: undefined }),
  });
  return refused(project, { variant: 'DriverNotConfigured' });
});

const artifactFields = { name: driverArtifact.name, version: driverArtifact.version };

raises(
  'ProcessDriverInterfaceMissing',
  'the component exports another version of the interface',
  async () => {
    const project = await fake({ variant: 'other-interface-version' });
    return refused(project, {
      variant: 'ProcessDriverInterfaceMissing',
      ...artifactFields,
      expected: 'murmur:driver/process@0.6.0',
      found: ['murmur:driver/process@0.5.0'],
    });
  },
);

raises('ProcessDriverInterfaceMissing', 'the payload exports nothing of the kind', async () => {
  const project = await fake();
  // An empty component, built and installed as an author would.
  project.write(
    'driver/murmur.yaml',
    'name: murmur-driver-fake\nversion: 0.1.0\nruntime: driver\nrequires_files: [capsule.wasm]\n',
  );
  writeFileSync(path.join(project.directory, 'driver/capsule.wasm'), Buffer.from('0061736d0d000100', 'hex'));
  expect((await project.run(['build', 'driver'])).stdout).toMatch(
    /^Built artifact: .*murmur-driver-fake-0\.1\.0\.mur\.zip\n$/,
  );
  rmSync(lockOf(project));
  expect((await project.run(['install', 'driver/murmur-driver-fake-0.1.0.mur.zip'])).code).toBe(0);
  return refused(project, {
    variant: 'ProcessDriverInterfaceMissing',
    ...artifactFields,
    expected: 'murmur:driver/process@0.6.0',
    found: [],
  });
});

const badDescriptions: Readonly<Record<string, RegExp>> = {
  'imports-more': /[^\n]*murmur:[^\n]*/,
  'describe-traps': /[\s\S]*trap[\s\S]*/i,
  'bad-env-empty': /[^\n]*required-env[^\n]*/,
  'bad-env-equals': /[^\n]*PATH=x[^\n]*/,
  'bad-env-nul': /[^\n]*required-env[^\n]*/,
  'bad-login-empty': /[^\n]*login-check[^\n]*/,
  'bad-path-relative': /[^\n]*relative\/path[^\n]*/,
  'bad-path-home-itself': /[^\n]*~\/[^\n]*/,
  'bad-path-other-home': /[^\n]*~other\/x[^\n]*/,
  'bad-path-parent': /[^\n]*~\/x\/\.\.\/\.\.\/y[^\n]*/,
  'bad-path-nul': /[^\n]*harness-needs[^\n]*/,
  'bad-host': /[^\n]*not a host[^\n]*/,
  'bad-harness-blank': /[^\n]*harness[^\n]*/,
  'bad-binary-blank': /[^\n]*binary[^\n]*/,
};

for (const [variant, pattern] of Object.entries(badDescriptions)) {
  raises('ProcessDriverLoad', `each way to be unusable at load: ${variant}`, async () => {
    const project = await fake({ variant });
    return refused(project, { variant: 'ProcessDriverLoad', ...artifactFields, message: somewhere(pattern) });
  });
}

raises(
  'ProcessDriverLoad',
  'describe does not return within its deadline',
  async () => {
    const project = await fake({ variant: 'describe-hangs' });
    return refused(project, {
      variant: 'ProcessDriverLoad',
      ...artifactFields,
      message: somewhere(/[^\n]*30[^\n]*/),
    });
  },
  90_000,
);

raises(
  'ProcessDriverRequiredEnvNotAllowed',
  'the manifest does not allow what the harness needs',
  async () => {
    const project = await fake({
      variant: 'needs',
      change: (manifest) => Object.assign(manifest.capabilities, { env: { allow: ['PATH'] } }),
    });
    return refused(project, {
      variant: 'ProcessDriverRequiredEnvNotAllowed',
      ...artifactFields,
      missing: ['HOME', 'FAKE_REQUIRED'],
    });
  },
);

raises(
  'HarnessNeedsNotAllowed',
  'paths and hosts that the manifest does not allow are all named',
  async () => {
    const project = await fake({
      variant: 'needs',
      change: (manifest) => manifest.capabilities.env.allow.push('FAKE_REQUIRED'),
    });
    const reason = somewhere(/[^\n]*?/);
    return refused(project, {
      variant: 'HarnessNeedsNotAllowed',
      ...artifactFields,
      refused: [
        { need: somewhere(/[^\n]*~\/\.fake-agent[^\n]*?/), reason },
        { need: somewhere(/[^\n]*\/usr\/share\/fake-agent[^\n]*?/), reason },
        { need: somewhere(/[^\n]*models\.fake\.test[^\n]*?/), reason },
        { need: somewhere(/[^\n]*api\.fake\.test:8443[^\n]*?/), reason },
      ],
    });
  },
);

raises('HarnessBinaryNotFound', 'inference.command names no program', async () => {
  const project = await fake({
    change: (manifest) => Object.assign(manifest.inference, { command: './no-such-agent' }),
  });
  return refused(project, {
    variant: 'HarnessBinaryNotFound',
    binary: './no-such-agent',
    binary_source: 'inference.command',
  });
});

raises('HarnessBinaryNotFound', "the driver's own program is not on the PATH", async () => {
  const project = await fake({
    variant: 'missing-binary',
    change: (manifest) => Object.assign(manifest.inference, { command: undefined }),
  });
  return refused(project, {
    variant: 'HarnessBinaryNotFound',
    binary: 'fake-agent-that-is-not-installed',
    binary_source: "the process driver's describe()",
  });
});

// --- flags, prompts, directories --------------------------------------------------------------------------------

raises(
  'ForgetSessionUnsupportedTransport',
  'a capsule without inference has no harness session',
  async () => {
    const project = plain({ name: 'a', version: '1' });
    return refused(project, { variant: 'ForgetSessionUnsupportedTransport', transport: 'none' }, [
      'run',
      '--context',
      'c',
      '--forget-session',
      '--task',
      'x',
    ]);
  },
);

raises('SystemPromptFileRead', 'the prompt file is missing', async () => {
  const project = await fake({
    change: (manifest) => Object.assign(manifest.inference, { system_prompt_file: 'prompt.md' }),
  });
  return refused(project, {
    variant: 'SystemPromptFileRead',
    path: path.join(project.directory, 'prompt.md'),
    source: { code: 'ENOENT', message: somewhere(/[^\n]*/) },
  });
});

raises('CreateWorkdir', 'a file stands where the workdir must be', async () => {
  const project = await fake();
  project.write('workdir', 'a file');
  const result = await project.run(['run', '--task', 'x']);
  return {
    result,
    condition: {
      variant: 'CreateWorkdir',
      path: somewhere(/[^\n]*\/workdir\/ses_[0-9a-f]{32}/),
      source: { code: somewhere(/E\w+/), message: somewhere(/[^\n]*/) },
    },
  };
});

test('E-IO-001: without a task there is nothing to run', async () => {
  const project = await fake();
  const result = await project.run(['run']);
  expect(result.stderr).toMatch(/error\[E-IO-001\][^\n]*task/);
  expect(result.code).toBe(1);
});

test('E-RUN-903: without a home there is no place for records', async () => {
  const project = await fake();
  const result = await project.run(['run', '--task', 'x'], { env: { PATH: process.env.PATH ?? '' } });
  expect(result.stderr).toMatch(/error\[E-RUN-903\]/);
  expect(result.code).toBe(1);
});

test('exit 2 for mistakes in the arguments, with a suggestion', async () => {
  const project = plain();
  for (const args of [
    ['run', '--tsak', 'x'],
    ['rum'],
    ['run', '--forget-session'],
    ['run', '--containment', 'none'],
    ['explain', 'E-NOT-999'],
  ]) {
    const result = await project.run(args);
    expect(result.code, args.join(' ')).toBe(2);
    expect(result.stdout).toBe('');
  }
  expect((await project.run(['rum'])).stderr).toContain('Did you mean run?');
});

test('a configuration raises the floor, names what it leaves out, and a version pin is told', async () => {
  const own = makeHome();
  const project = await fakeProject({
    home: own,
    change: (manifest) => Object.assign(manifest, { mur_version: '9.9.9' }),
  });
  projects.push(project);
  mkdirSync(path.join(own, '.murmur'), { recursive: true });
  writeFileSync(path.join(own, '.murmur/config.yaml'), 'surprise: 1\n');
  const warned = await project.run(['run', '--task', 'x']);
  expect(warned.code).toBe(0);
  expect(warned.stderr).toMatch(/warning\[W-SEC-902\][^\n]*surprise/);
  expect(warned.stderr).toMatch(/warning\[W-RUN-901\][^\n]*9\.9\.9/);
  writeFileSync(path.join(own, '.murmur/config.yaml'), 'containment: sealed\n');
  const refused = await project.run(['run', '--task', 'x']);
  expect(refused.stderr).toMatch(/error\[E-CAP-003\][^\n]*sealed/);
  expect(refused.code).toBe(1);
  removeAll(own);
});

test.each([
  ['is not there', '/nowhere'],
  ['is not UTF-8, which Node shows as the replacement character', '\ufffd'],
])('a HOME that %s is refused, and not made', async (_, ending) => {
  const own = makeHome();
  const project = await fakeProject({ home: own });
  projects.push(project);
  const elsewhere = `${own}${ending}`;
  const result = await project.run(['run', '--task', 'x'], { env: { ...project.env, HOME: elsewhere } });
  expect(result.stderr).toContain('error[E-RUN-903]');
  expect(result.code).toBe(1);
  expect(existsSync(elsewhere)).toBe(false);
  removeAll(own);
});

test('an artifact asked for by name is told to be installed from its file', async () => {
  const project = await fake();
  const result = await project.run(['install', 'murmur-driver-fake@0.1.0']);
  expect(result.stderr).toContain('error[E-IO-001]');
  expect(result.stderr).toContain('not by name');
  expect(result.code).toBe(1);
});
