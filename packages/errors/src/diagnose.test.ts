import { describe, expect, test } from 'vitest';
import type { ErrorCondition } from './condition.js';
import { diagnose, diagnoseWarning } from './diagnose.js';

describe('an unsatisfied import', () => {
  const failures = [
    'component imports instance `wasi:http/types@0.2.0`, but a matching implementation was not found in the linker',
    'unknown import: `wasi:http/types@0.2.0` has not been defined',
    'LinkError: WebAssembly.Instance(): Import #3 `wasi:http/types@0.2.0`: function import requires a callable',
  ];

  test.each(failures)('turns CapsuleTrap and Runtime into E-RUN-002: %s', (message) => {
    for (const variant of ['CapsuleTrap', 'Runtime'] as const) {
      const { code, message: text } = diagnose({ variant, message });
      expect(code).toBe('E-RUN-002');
      expect(text).toContain("'wasi:http/types@0.2.0'");
    }
  });

  test('is reported without a name where the failure gives none', () => {
    const { code, message } = diagnose({ variant: 'CapsuleTrap', message: 'unknown import' });
    expect(code).toBe('E-RUN-002');
    expect(message).toBe('a component imports an interface that is not linked (unknown import)');
  });

  test('is not seen in other failures', () => {
    const message = 'wasm trap: unreachable; this is important to `a:b/c`';
    expect(diagnose({ variant: 'CapsuleTrap', message }).code).toBe('E-RUN-001');
    expect(diagnose({ variant: 'Runtime', message }).code).toBe('E-IO-003');
  });
});

describe('look-alikes', () => {
  const lookAlikes: ErrorCondition[] = [
    { variant: 'ContainmentFloorUnmet', declared: 'sealed', achieved: 'advisory', reason: 'no Landlock' },
    { variant: 'StagedRuntimeRequiresSealed', binaries: ['python3'], declared: 'scoped' },
    {
      variant: 'EgressNamespaceUnavailable',
      blocker: 'kernel_support_missing',
      reason: 'CONFIG_NET_NS is off',
    },
    {
      variant: 'ShellBinaryPackageUnreachable',
      entries: [{ binary: 'pytest', resolved_path: '/opt/venv/bin/pytest', interpreter: 'python3' }],
    },
    { variant: 'SealedRootConstructionFailed', detail: 'pivot_root: EINVAL' },
  ];
  const hints = lookAlikes.map((condition) => diagnose(condition).hint ?? '');

  test('give pairwise different advice', () => {
    expect(new Set(hints).size).toBe(lookAlikes.length);
    for (const hint of hints) expect(hint).not.toBe('');
  });

  test('only those about the floor advise on it', () => {
    const [unmet, staged, egress, unreachable, construction] = hints;
    expect(unmet).toContain("lower the floor to 'advisory'");
    expect(staged).toContain("raise the floor to 'sealed'");
    for (const hint of [egress, unreachable, construction]) expect(hint).not.toMatch(/floor/);
  });
});

describe('conditions with several offenders name every one, in order', () => {
  const cases: [ErrorCondition, string[]][] = [
    [
      { variant: 'StagedRuntimeRequiresSealed', binaries: ['b', 'a'], declared: 'advisory' },
      ["'b'", "'a'", "'advisory'"],
    ],
    [
      {
        variant: 'ShellBinaryPackageUnreachable',
        entries: [
          { binary: 'pytest', resolved_path: '/opt/v/pytest', interpreter: 'python3' },
          { binary: 'eslint', resolved_path: '/opt/n/eslint', interpreter: 'node' },
        ],
      },
      ["'pytest'", "'/opt/v/pytest'", "'python3'; 'eslint'", "'/opt/n/eslint'", "'node'"],
    ],
    [
      {
        variant: 'EnvAllowStrippedByBackstop',
        entries: [
          { name: 'GH_TOKEN', pattern: '*_TOKEN', source: 'credential backstop' },
          { name: 'MINE', pattern: 'MI*', source: 'capabilities.shell.strip_env' },
        ],
      },
      ["'GH_TOKEN'", "'*_TOKEN'", 'credential backstop', "'MINE'", "'MI*'", 'capabilities.shell.strip_env'],
    ],
    [
      { variant: 'ProcessDriverRequiredEnvNotAllowed', name: 'd', version: '1.0.0', missing: ['B', 'A'] },
      ['d@1.0.0', "'B', 'A'"],
    ],
    [
      {
        variant: 'ProcessDriverReportsNoUsage',
        name: 'd',
        version: '1.0.0',
        ceilings: ['inference.max_session_tokens', 'spend.machine_tokens_per_day'],
      },
      ['d@1.0.0', 'inference.max_session_tokens and spend.machine_tokens_per_day'],
    ],
    [
      {
        variant: 'HarnessNeedsNotAllowed',
        name: 'd',
        version: '1.0.0',
        refused: [
          { need: '~/.x', reason: 'capabilities.harness.paths does not allow it' },
          { need: 'api.example.org', reason: 'capabilities.network.allow does not allow it' },
        ],
      },
      ['~/.x (capabilities.harness.paths', 'api.example.org (capabilities.network.allow'],
    ],
    [
      {
        variant: 'FeatureNotServed',
        file: 'murmur.yaml',
        keys: [
          { key: 'exports', line: 9, column: 1 },
          { key: 'control', line: 12, column: 1 },
        ],
      },
      ['exports (line 9, column 1), control (line 12, column 1)'],
    ],
  ];

  test.each(cases)('%j', (condition, expected) => {
    const { message } = diagnose(condition);
    let at = -1;
    for (const text of expected) {
      const next = message.indexOf(text, at + 1);
      expect(next, `${text} in: ${message}`).toBeGreaterThan(at);
      at = next;
    }
  });
});

describe('texts that depend on their fields', () => {
  test.each([
    ['auth', /not signed in/],
    ['quota', /wait until the quota/],
    ['max-turns', /raise inference\.max_turns/],
    ['canceled', /^the session's trace tells what the turn did$/],
  ] as const)('a failed turn of kind %s', (kind, remedy) => {
    const diagnostic = diagnose({ variant: 'HarnessTurnFailed', kind, message: 'm', origin: 'harness' });
    expect(diagnostic.message).toBe(`the harness turn failed (${kind}): m`);
    expect(diagnostic.hint).toMatch(remedy);
  });

  test('a driver that exports another version, or none', () => {
    const base = {
      variant: 'ProcessDriverInterfaceMissing',
      name: 'd',
      version: '1.0.0',
      expected: 'murmur:driver/process@0.6.0',
    } as const;
    expect(diagnose({ ...base, found: ['murmur:driver/process@0.5.0'] }).message).toContain('0.5.0');
    expect(diagnose({ ...base, found: [] }).message).toContain('exports no process driver interface');
    expect(diagnose({ ...base, found: [] }).hint).not.toBe(diagnose({ ...base, found: ['x'] }).hint);
  });

  test('a role that only an operator may give', () => {
    const base = {
      variant: 'RuntimeOriginNotDeclarable',
      name: 'a',
      version: '1.0.0',
      session: 'ses_1',
    } as const;
    expect(diagnose({ ...base, declared_as: 'gateway:' }).hint).toContain(
      "remove 'gateway:' from the artifact's entry",
    );
    expect(diagnose({ ...base, declared_as: 'inference.system_prompt_artifact' }).hint).toContain(
      'remove inference.system_prompt_artifact from under inference',
    );
  });

  test('a credential that was refused, by where it came from', () => {
    const base = { variant: null, code: 'E-RUN-027', name: 'KEY', file: '/h/config.yaml' } as const;
    expect(diagnose({ ...base, origin: 'config', retried: true }).message).toBe(
      "the provider answered HTTP 401 to the key of config entry credentials.KEY in '/h/config.yaml'; it was read again and the new value failed too",
    );
    expect(diagnose({ ...base, origin: 'environment', retried: false }).message).toContain(
      'the variable KEY',
    );
    expect(diagnose({ ...base, origin: 'literal', retried: false }).message).toContain(
      'literally in the manifest',
    );
  });

  test('a value in a manifest, with its place', () => {
    expect(
      diagnose({
        variant: null,
        code: 'E-MAN-003',
        file: 'murmur.yaml',
        line: 4,
        column: 12,
        key: 'inference.transport',
        value: 'htp',
        problem: 'expected http or process',
        remedy: null,
      }),
    ).toEqual({
      code: 'E-MAN-003',
      message: "murmur.yaml:4:12: inference.transport 'htp': expected http or process",
    });
  });
});

test('a condition that no entry describes is a fault of the program', () => {
  expect(() => diagnose({ variant: 'Nonsense' } as unknown as ErrorCondition)).toThrow(
    'no catalog entry for Nonsense',
  );
});

test('a manifest made for a later release says so once, without a key', () => {
  expect(
    diagnoseWarning({
      code: 'W-SEC-019',
      key: null,
      block: '',
      suggestion: null,
      wanted: '2.0.0',
      served: '1.0.0',
      unknown: 3,
    }).message,
  ).toBe(
    'the manifest was made for mur 2.0.0 and this is mur 1.0.0: the later one may know the unknown keys (3)',
  );
});

describe('what a stranger filled', () => {
  const flood = 'x'.repeat(5_000_000);

  test('does not bury the message: a long field is cut and says so', () => {
    const { message } = diagnose({ variant: 'ProcessDriverLoad', name: 'd', version: '1', message: flood });
    expect(message).toMatch(/^.{0,80}x{6000}… \(\d+ more characters\)/);
    expect(message.length).toBeLessThan(6200);
  });

  test('does not bury the message in many parts either', () => {
    const missing = Array.from({ length: 50_000 }, (_, index) => `NAME_${index}`);
    const { message, hint } = diagnose({
      variant: 'ProcessDriverRequiredEnvNotAllowed',
      name: 'd',
      version: '1',
      missing,
    });
    expect(message.length).toBeLessThan(12_100);
    expect((hint ?? '').length).toBeLessThan(12_100);
  });

  test('is cut between characters, and only after a secret was looked for', () => {
    const edge = `${'x'.repeat(5_999)}\u{1f600}tail`;
    const { message } = diagnose({ variant: 'Runtime', message: edge });
    expect(message).toContain('x… (6 more characters)');
    const secret = `se\u001b[0mcret-${'1'.repeat(40)}`;
    const shown = diagnose(
      { variant: 'Runtime', message: `${'y'.repeat(5_980)}${secret}` },
      {
        secrets: [`secret-${'1'.repeat(40)}`],
      },
    ).message;
    expect(shown).not.toContain('secret-1');
  });

  test('is left alone when a person can read it', () => {
    const message = `line\n${'z'.repeat(5_000)}`;
    expect(diagnose({ variant: 'Runtime', message }).message).toContain(message);
  });
});
