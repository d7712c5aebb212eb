import { describe, expect, test } from 'vitest';
import { launch, refusal } from '../test/fixtures.js';
import { resolveGrants } from './resolve-grants.js';

const artifact = (body: string): string =>
  `artifacts:\n  - name: helper\n    version: 1.0.0\n    runtime: tool\n${body.replace(/^/gm, '    ')}\n`;

test('nothing declared is nothing granted', () => {
  const { grants, warnings } = resolveGrants(launch(''));
  expect(grants).toMatchObject({
    containment: { declared: 'advisory', achieved: 'sealed', floorMet: true, shortfall: null },
    network: { allow: [], unixSockets: false },
    peerFetch: [],
    filesystem: { scope: '.', readOnly: [], workdirExec: false },
    env: { allow: [], strip: [] },
    stateStores: [],
    conversation: { kept: true, store: 'capsule', contextId: null },
  });
  expect(warnings).toEqual([]);
});

test('absent and empty lists mean the same', () => {
  const empty =
    'capabilities:\n  network: { allow: [] }\n  filesystem: { read_only: [] }\n  env: { allow: [] }\n';
  expect(resolveGrants(launch(empty))).toEqual(resolveGrants(launch('')));
});

test('grants are frozen all the way down', () => {
  const { grants } = resolveGrants(launch('capabilities:\n  network: { allow: [example.org] }\n'));
  expect(() => (grants.network.allow as object[]).push({})).toThrow(TypeError);
  expect(() => Object.assign(grants.network.allow[0] ?? {}, { host: 'evil.example' })).toThrow(TypeError);
  expect(() => Object.assign(grants.containment, { achieved: 'sealed' })).toThrow(TypeError);
});

describe('refusals', () => {
  test.each([
    [
      'a reserved tool name',
      artifact('').replace('helper', 'delegate-task'),
      { variant: 'ReservedToolName', name: 'delegate-task', code: 'E-CAP-013' },
    ],
    [
      'a network entry',
      'capabilities:\n  network: { allow: [ok.example, "ftp://x"] }\n',
      { variant: 'InvalidNetworkAllowEntry', entry: 'ftp://x', code: 'E-CAP-001' },
    ],
    [
      "an artifact's network entry",
      artifact('capabilities: { network: { allow: ["*"] } }'),
      { variant: 'InvalidNetworkAllowEntry', entry: '*' },
    ],
    [
      'a peer entry',
      'capabilities:\n  peer_fetch: { allow: ["a/b"] }\n',
      { variant: 'InvalidNetworkAllowEntry', entry: 'a/b' },
    ],
    [
      'an absolute scope',
      'capabilities:\n  filesystem: { scope: /etc }\n',
      { variant: 'InvalidFilesystemScope', scope: '/etc', code: 'E-CAP-002' },
    ],
    [
      'a scope that climbs out',
      'capabilities:\n  filesystem: { scope: a/../../b }\n',
      { variant: 'InvalidFilesystemScope', scope: 'a/../../b' },
    ],
    [
      "an artifact's scope",
      artifact('capabilities: { filesystem: { scope: ".." } }'),
      { variant: 'InvalidFilesystemScope', scope: '..' },
    ],
    [
      'an absolute read-only entry',
      'capabilities:\n  filesystem: { read_only: [src, /etc] }\n',
      { variant: 'InvalidReadOnlyPath', path: '/etc', code: 'E-CAP-012' },
    ],
    [
      'a read-only entry that climbs out',
      'capabilities:\n  filesystem: { read_only: [../x] }\n',
      { variant: 'InvalidReadOnlyPath', path: '../x' },
    ],
    [
      'a blank read-only entry',
      'capabilities:\n  filesystem: { read_only: [" "] }\n',
      { variant: 'InvalidReadOnlyPath', path: ' ' },
    ],
    [
      'an empty config',
      artifact('config:'),
      { variant: 'InvalidArtifactConfig', artifact: 'helper', code: 'E-CAP-010' },
    ],
    [
      'a config that is a list',
      artifact('config: [1]'),
      { variant: 'InvalidArtifactConfig', message: 'it is a list, and a mapping is needed' },
    ],
    [
      'a config that is a text',
      artifact('config: text'),
      { variant: 'InvalidArtifactConfig', message: 'it is a string, and a mapping is needed' },
    ],
    [
      'a config that is too large',
      artifact(`config: { a: ${'x'.repeat(65_536)} }`),
      { variant: 'InvalidArtifactConfig', message: 'it is 65544 bytes as JSON, above the limit of 65536' },
    ],
    [
      'a state store',
      artifact('capabilities: { state: { store: ../x } }'),
      { variant: 'InvalidStateStore', store: '../x', code: 'E-CAP-009' },
    ],
    [
      'an empty state store',
      artifact('capabilities: { state: { store: "" } }'),
      { variant: 'InvalidStateStore', store: '' },
    ],
    [
      "the capsule's own state store",
      'capabilities: { state: { store: .hidden } }\n',
      { variant: 'InvalidStateStore', store: '.hidden' },
    ],
    [
      'a record store',
      'context: { record_store: a/b }\n',
      {
        variant: 'InvalidConversationRecord',
        field: 'context.record_store',
        value: 'a/b',
        code: 'E-CAP-011',
      },
    ],
    [
      'an empty record store',
      'context: { record_store: "" }\n',
      { variant: 'InvalidConversationRecord', value: '' },
    ],
    [
      'an unmet floor',
      'capabilities: { containment: sealed, filesystem: { workdir_exec: true } }\n',
      { variant: 'ContainmentFloorUnmet', declared: 'sealed', achieved: 'advisory', code: 'E-CAP-003' },
    ],
    [
      'a staged runtime below sealed',
      'capabilities:\n  containment: scoped\n  shell: { allow: [python3], staged_runtime: [{ binary: python3, source_path: /opt/py, pin: a }] }\n',
      {
        variant: 'StagedRuntimeRequiresSealed',
        binaries: ['python3'],
        declared: 'scoped',
        code: 'E-CAP-004',
      },
    ],
  ])('%s', async (_name, body, expected) => {
    expect(await refusal(() => resolveGrants(launch(body)))).toMatchObject(expected);
  });

  test.each(['', ' ', '.', '..', '.x', '/x', 'a/b', 'a\u0000', 'x'.repeat(256)])(
    '--context %j',
    async (context) => {
      const options = launch('', { flags: { containment: null, context } });
      expect(await refusal(() => resolveGrants(options))).toMatchObject({
        variant: 'InvalidConversationRecord',
        field: '--context',
        value: context,
      });
    },
  );

  test('variables that never arrive: all of them, once each, in order, set or not', async () => {
    const body =
      'capabilities:\n  env: { allow: [PATH, GH_TOKEN, MINE_A, AWS_X, GH_TOKEN, LOCAL_API_KEY] }\n  shell: { allow: [ls], strip_env: ["MINE_*"] }\n';
    expect(await refusal(() => resolveGrants(launch(body, { hostEnv: { AWS_X: 'value' } })))).toEqual({
      variant: 'EnvAllowStrippedByBackstop',
      code: 'E-CAP-016',
      entries: [
        { name: 'GH_TOKEN', pattern: 'GH_TOKEN', source: 'credential backstop' },
        { name: 'MINE_A', pattern: 'MINE_*', source: 'capabilities.shell.strip_env' },
        { name: 'AWS_X', pattern: 'AWS_*', source: 'credential backstop' },
        { name: 'LOCAL_API_KEY', pattern: '*_API_KEY', source: 'credential backstop' },
      ],
    });
  });

  test('come in a fixed order when several faults coexist', async () => {
    // Each fault in turn is repaired, and the next one of the order shows.
    const faults = [
      ['NAME', 'share-file', 'helper', 'E-CAP-013'],
      ['NETWORK', '"a b"', 'ok.example', 'E-CAP-001'],
      ['SCOPE', '/x', 'sub', 'E-CAP-002'],
      ['READONLY', '/x', 'sub', 'E-CAP-012'],
      ['CONFIG', '[]', '{}', 'E-CAP-010'],
      ['STORE', 'a/b', 'ok', 'E-CAP-009'],
      ['RECORD', 'a/b', 'ok', 'E-CAP-011'],
      ['VARIABLE', 'GH_TOKEN', 'PATH', 'E-CAP-016'],
      ['FLOOR', 'sealed', 'advisory', 'E-CAP-003'],
    ] as const;
    const template =
      'artifacts:\n  - { name: NAME, version: 1.0.0, runtime: tool, config: CONFIG, capabilities: { state: { store: STORE } } }\n' +
      'capabilities:\n  network: { allow: [NETWORK] }\n  filesystem: { scope: SCOPE, read_only: [READONLY] }\n' +
      '  env: { allow: [VARIABLE] }\n  containment: FLOOR\ncontext: { record_store: RECORD }\n';
    const probe = { achievable: 'advisory', enforcementTier: 'none', shortfall: null } as const;
    for (const [repaired, [, , , code]] of faults.entries()) {
      const body = faults.reduce(
        (text, [mark, bad, good], i) => text.replace(mark, i < repaired ? good : bad),
        template,
      );
      expect(await refusal(() => resolveGrants(launch(body, { probe })))).toMatchObject({ code });
    }
  });
});

describe('the floor', () => {
  const advisoryHost = {
    achievable: 'advisory',
    enforcementTier: 'none',
    shortfall: 'Landlock is off: boot with lsm=landlock',
  } as const;

  test.each([
    ['manifest', 'capabilities: { containment: scoped }\n', {}],
    ['configuration', '', { configuredContainment: 'scoped' as const }],
    ['flag', '', { flags: { containment: 'scoped' as const, context: null } }],
  ])('of the %s alone is enough to refuse, with the reason of the probe', async (_where, body, overrides) => {
    const options = launch(body, { probe: advisoryHost, ...overrides });
    expect(await refusal(() => resolveGrants(options))).toMatchObject({
      variant: 'ContainmentFloorUnmet',
      declared: 'scoped',
      achieved: 'advisory',
      reason: 'Landlock is off: boot with lsm=landlock',
    });
  });

  test('is the strongest of the three; a weaker flag lowers nothing', async () => {
    const options = launch('capabilities: { containment: sealed }\n', {
      probe: { ...advisoryHost, achievable: 'scoped' },
      configuredContainment: 'scoped',
      flags: { containment: 'advisory', context: null },
    });
    expect(await refusal(() => resolveGrants(options))).toMatchObject({
      declared: 'sealed',
      achieved: 'scoped',
    });
  });

  test('is met by an equal or a stronger host', () => {
    for (const achievable of ['scoped', 'sealed'] as const) {
      const options = launch('capabilities: { containment: scoped }\n', {
        probe: { ...advisoryHost, achievable },
      });
      expect(resolveGrants(options).grants.containment).toMatchObject({
        achieved: achievable,
        floorMet: true,
        shortfall: null,
      });
    }
  });

  test('beside workdir_exec blames the manifest, not the host', async () => {
    const body = 'capabilities: { containment: scoped, filesystem: { workdir_exec: true } }\n';
    expect(await refusal(() => resolveGrants(launch(body)))).toMatchObject({
      reason: expect.stringContaining('capabilities.filesystem.workdir_exec') as unknown,
    });
  });

  test('that is not met can be reported instead', () => {
    const options = launch('capabilities: { containment: sealed }\n', {
      probe: advisoryHost,
      reportUnmetFloor: true,
    });
    expect(resolveGrants(options).grants.report).toMatchObject({
      declared_containment: 'sealed',
      achieved_containment: 'advisory',
      floor_met: false,
      shortfall_reason: 'Landlock is off: boot with lsm=landlock',
    });
  });
});

test('declarations are taken over in plain form, doubles once', () => {
  const { grants } = resolveGrants(
    launch(
      'capabilities:\n  network: { allow: [Example.org, example.org., "https://x.example:443"], unix_sockets: true }\n' +
        '  filesystem: { scope: ./a//b/, read_only: [./src/, src, .] }\n  env: { allow: [B, A, B] }\n',
      { flags: { containment: null, context: 'ctx_1' } },
    ),
  );
  expect(grants).toMatchObject({
    network: { unixSockets: true },
    filesystem: { scope: 'a/b', readOnly: ['src', '.'] },
    env: { allow: ['B', 'A'] },
    conversation: { store: 'capsule', contextId: 'ctx_1' },
  });
  expect(grants.report).toMatchObject({
    network_allow: ['example.org', 'https://x.example'],
    unix_sockets: true,
    filesystem_scope: 'a/b',
    read_only_paths: ['src', '.'],
    env_allow: ['B', 'A'],
  });
});

test('a state store without a name takes the name of the capsule', () => {
  const { grants } = resolveGrants(launch(artifact('capabilities: { state: {} }')));
  expect(grants.stateStores).toEqual([
    { artifact: 'helper', store: 'capsule', path: '/home/person/.murmur/state/capsule' },
  ]);
});

test('warnings: workdir_exec, and allowed names that look like credentials', () => {
  const body = 'capabilities:\n  filesystem: { workdir_exec: true }\n  env: { allow: [PATH, SSH_KEY] }\n';
  expect(resolveGrants(launch(body)).warnings).toEqual([
    { code: 'W-SEC-011' },
    { code: 'W-SEC-024', name: 'SSH_KEY', clause: null },
  ]);
  const sleeping = resolveGrants(
    launch(`${body}lifecycle: { after_task: sleep, task_acceptance: queue }\n`),
  ).warnings;
  expect(sleeping[1]).toMatchObject({
    code: 'W-SEC-024',
    clause: expect.stringContaining('sleeps') as unknown,
  });
});

test('the report holds every key of its format and no value of a variable', () => {
  const { grants } = resolveGrants(
    launch('capabilities:\n  env: { allow: [SEEDED] }\n', { hostEnv: { SEEDED: 'marker-value' } }),
  );
  expect(JSON.stringify(grants)).not.toContain('marker-value');
  expect(Object.keys(grants.report)).toEqual([
    'declared_containment',
    'achieved_containment',
    'floor_met',
    'enforcement_tier',
    'userns_grant',
    'filesystem_scope',
    'workdir_exec',
    'read_only_paths',
    'read_only_advisory_for',
    'network_allow',
    'unix_sockets',
    'shell_allow',
    'spawn_allow',
    'env_allow',
    'install_skill',
    'install_tool',
    'interpreter_runtime_grants',
    'staged_runtime_grants',
    'preopens',
    'state_stores',
    'configured_artifacts',
    'exports_files',
    'peer_files',
    'peer_tasks',
    'peer_fetch_allow',
    'runtime_writes',
    'filesystem_boundary',
    'io_max',
  ]);
});
