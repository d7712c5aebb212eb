// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are what is tested
import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../test/refusal.js';
import type { CapsuleManifest } from '../types.js';
import { type CapsuleManifestReading, parseCapsuleManifest } from './parse.js';

const read = (text: string): CapsuleManifestReading =>
  parseCapsuleManifest(text, { file: 'murmur.yaml', servedVersion: '0.11.0' });

const IDENTITY = 'name: demo\nversion: 1.0.0\n';
const manifestOf = (rest: string): CapsuleManifest => read(IDENTITY + rest).manifest;
const refusal = (rest: string) => refusalOf(() => read(IDENTITY + rest));

describe('identity', () => {
  it.each([
    ['', 'name'],
    ['# nothing but a comment\n', 'name'],
    ['version: 1.0.0\n', 'name'],
    ['name: "  "\nversion: 1.0.0\n', 'name'],
    ['name:\nversion: 1.0.0\n', 'name'],
    ['name: demo\n', 'version'],
    ['name: demo\nversion: ""\n', 'version'],
  ])('needs name and version: %j', (text, key) => {
    expect(refusalOf(() => read(text))).toEqual({
      variant: null,
      code: 'E-MAN-001',
      file: 'murmur.yaml',
      key,
    });
  });

  it.each(['- a\n', 'text\n', '7\n'])('needs a mapping: %j', (text) => {
    expect(refusalOf(() => read(text))).toMatchObject({ code: 'E-MAN-003', line: 1, column: 1 });
  });

  it('keeps a version as it is written', () => {
    const text =
      'name: demo\nversion: 1.10\nmur_version: 0.20\nartifacts: [{name: x, version: 2.0, runtime: driver}]\n';
    const { manifest } = read(text);
    expect([manifest.version, manifest.murVersion, manifest.artifacts[0]?.version]).toEqual([
      '1.10',
      '0.20',
      '2.0',
    ]);
  });

  it('does not mistake other numbers for versions', () => {
    const text = 'inference:\n  transport: process\n  driver: {artifact: d, config: {version: 1.10}}\n';
    expect(
      manifestOf(`artifacts: [{name: d, version: 1, runtime: driver}]\n${text}`).inference?.driver?.config,
    ).toEqual({
      version: 1.1,
    });
  });

  it('refuses a text that is no YAML with its place', () => {
    expect(refusal('a: [\n')).toMatchObject({ code: 'E-MAN-002', file: 'murmur.yaml', line: 4, column: 1 });
  });

  it('names the key of a number that cannot be held', () => {
    expect(refusal('context: {max_tokens: 1e999}\n')).toMatchObject({
      code: 'E-MAN-003',
      key: 'context.max_tokens',
      line: 3,
      column: 23,
    });
  });
});

const DRIVER = '{name: d, version: 1, runtime: driver}';
const KEYED =
  '{name: d, version: 1, runtime: driver, gateway: {endpoint: "https://a.example", api_key: "${KEY}"}}';
const HTTP = `artifacts: [${KEYED}]\ninference: {model: m, driver: {artifact: d}`;
const PROCESS = `artifacts: [${DRIVER}]\ninference: {transport: process, driver: {artifact: d}`;
const TOOL = '{name: t, version: 1';
const ALTERNATE = 'name: b, model: n, driver: {artifact: d}';

/** Every rule: the text that breaks it, and the key that is named. */
const VIOLATIONS: readonly (readonly [string, string])[] = [
  // artifacts
  ['artifacts: {}\n', 'artifacts'],
  ['artifacts:\n', 'artifacts'],
  ['artifacts: [x]\n', 'artifacts[0]'],
  ['artifacts: [{version: 1}]\n', 'artifacts[0].name'],
  ['artifacts: [{name: " ", version: 1}]\n', 'artifacts[0].name'],
  ['artifacts: [{name: 12, version: 1}]\n', 'artifacts[0].name'],
  ['artifacts: [{name: Upper, version: 1}]\n', 'artifacts[0].name'],
  ['artifacts: [{name: -x, version: 1}]\n', 'artifacts[0].name'],
  ['artifacts: [{name: a/b/c, version: 1}]\n', 'artifacts[0].name'],
  ['artifacts: [{name: ../x, version: 1}]\n', 'artifacts[0].name'],
  ['artifacts: [{name: t}]\n', 'artifacts[0].version'],
  ['artifacts: [{name: t, version: ""}]\n', 'artifacts[0].version'],
  ['artifacts: [{name: t, version: a/b}]\n', 'artifacts[0].version'],
  ['artifacts: [{name: t, version: ..}]\n', 'artifacts[0].version'],
  [`artifacts: [${TOOL}}, ${TOOL}}]\n`, 'artifacts[1].name'],
  [`artifacts: [${TOOL}, runtime: wasm}]\n`, 'artifacts[0].runtime'],
  [`artifacts: [${TOOL}, runtime: native}]\n`, 'artifacts[0].runtime'],
  [`artifacts: [${TOOL}, runtime: other}]\n`, 'artifacts[0].runtime'],
  [`artifacts: [${TOOL}, runtime: }]\n`, 'artifacts[0].runtime'],
  ['artifacts: [{name: t, source: ./t}]\n', 'artifacts[0].source'],
  ['artifacts: [{name: t, source: ./t, runtime: skill, local_source: false}]\n', 'artifacts[0].source'],
  [`artifacts: [${TOOL}, local_source: yes}]\n`, 'artifacts[0].local_source'],
  [`artifacts: [${TOOL}, prompt_payload: 1}]\n`, 'artifacts[0].prompt_payload'],
  [`artifacts: [${TOOL}, runtime: skill, capabilities: {}}]\n`, 'artifacts[0].capabilities'],
  [`artifacts: [${TOOL}, runtime: skill, config: {}}]\n`, 'artifacts[0].config'],
  [
    `artifacts: [${TOOL}, runtime: skill, gateway: {endpoint: "https://a", keyless: true}}]\n`,
    'artifacts[0].gateway',
  ],
  [`artifacts: [${TOOL}, on_overflow: drop}]\n`, 'artifacts[0].on_overflow'],
  [`artifacts: [${TOOL}, runtime: hook, on_overflow: wait}]\n`, 'artifacts[0].on_overflow'],
  ['config: {}\n', 'config'],
  ['registry: {}\n', 'registry'],
  // capabilities of an artifact
  [`artifacts: [${TOOL}, capabilities: }]\n`, 'artifacts[0].capabilities'],
  [`artifacts: [${TOOL}, capabilities: {network: {allow: }}}]\n`, 'artifacts[0].capabilities.network.allow'],
  [`artifacts: [${TOOL}, capabilities: {network: }}]\n`, 'artifacts[0].capabilities.network'],
  [`artifacts: [${TOOL}, capabilities: {install: {skill: [x]}}}]\n`, 'artifacts[0].capabilities.install'],
  [`artifacts: [${TOOL}, capabilities: {task_io: {read: true}}}]\n`, 'artifacts[0].capabilities.task_io'],
  [
    `artifacts: [${TOOL}, runtime: hook, capabilities: {task_io: {}}}]\n`,
    'artifacts[0].capabilities.task_io.read',
  ],
  [
    `artifacts: [${TOOL}, capabilities: {conversation: {read: true}}}]\n`,
    'artifacts[0].capabilities.conversation',
  ],
  [
    `artifacts: [${TOOL}, runtime: hook, capabilities: {conversation: {}}}]\n`,
    'artifacts[0].capabilities.conversation.read',
  ],
  [
    `artifacts: [${TOOL}, capabilities: {filesystem: {records: true}}}]\n`,
    'artifacts[0].capabilities.filesystem.records',
  ],
  [
    `artifacts: [${TOOL}, runtime: hook, capabilities: {filesystem: {records: true, scope: x}}}]\n`,
    'artifacts[0].capabilities.filesystem.records',
  ],
  // gateways
  [`artifacts: [${TOOL}, gateway: {}}]\n`, 'artifacts[0].gateway.endpoint'],
  [`artifacts: [${TOOL}, gateway: {endpoint: "ftp://x", keyless: true}}]\n`, 'artifacts[0].gateway.endpoint'],
  [
    `artifacts: [${TOOL}, gateway: {endpoint: "https://x", keyless: true, api_key: k}}]\n`,
    'artifacts[0].gateway.api_key',
  ],
  [
    `artifacts: [${TOOL}, gateway: {endpoint: "https://x", keyless: true, api_key: ""}}]\n`,
    'artifacts[0].gateway.api_key',
  ],
  [
    `artifacts: [${TOOL}, gateway: {endpoint: "https://x", keyless: true, api_key: }}]\n`,
    'artifacts[0].gateway.api_key',
  ],
  [
    `artifacts: [${TOOL}, gateway: {endpoint: "https://x", keyless: maybe}}]\n`,
    'artifacts[0].gateway.keyless',
  ],
  // capabilities
  ['capabilities:\n', 'capabilities'],
  ['capabilities: {network: {allow: a.example}}\n', 'capabilities.network.allow'],
  ['capabilities: {network: {allow: [1]}}\n', 'capabilities.network.allow[0]'],
  ['capabilities: {network: {unix_sockets: yes}}\n', 'capabilities.network.unix_sockets'],
  ['capabilities: {peer_fetch: {}}\n', 'capabilities.peer_fetch.allow'],
  ['capabilities: {peer_fetch: {allow: []}}\n', 'capabilities.peer_fetch.allow'],
  ['capabilities: {filesystem: {scope: 1}}\n', 'capabilities.filesystem.scope'],
  ['capabilities: {filesystem: {read_only: .git}}\n', 'capabilities.filesystem.read_only'],
  ['capabilities: {filesystem: {workdir_exec: 1}}\n', 'capabilities.filesystem.workdir_exec'],
  ['capabilities: {shell: {}}\n', 'capabilities.shell.allow'],
  ['capabilities: {shell: {allow: []}}\n', 'capabilities.shell.allow'],
  ['capabilities: {shell: {allow: [/bin/sh]}}\n', 'capabilities.shell.allow[0]'],
  ['capabilities: {shell: {allow: [""]}}\n', 'capabilities.shell.allow[0]'],
  ['capabilities: {shell: {allow: [a], strip_env: A}}\n', 'capabilities.shell.strip_env'],
  [
    'capabilities: {shell: {allow: [a], interpreter_runtime: [{binary: b, dirs: [{path: /x, list_dir: true}]}]}}\n',
    'capabilities.shell.interpreter_runtime[0].binary',
  ],
  [
    'capabilities: {shell: {allow: [a], interpreter_runtime: [{binary: a}]}}\n',
    'capabilities.shell.interpreter_runtime[0].dirs',
  ],
  [
    'capabilities: {shell: {allow: [a], interpreter_runtime: [{binary: a, dirs: []}]}}\n',
    'capabilities.shell.interpreter_runtime[0].dirs',
  ],
  [
    'capabilities: {shell: {allow: [a], interpreter_runtime: [{binary: a, dirs: [{path: x, list_dir: true}]}]}}\n',
    'capabilities.shell.interpreter_runtime[0].dirs[0].path',
  ],
  [
    'capabilities: {shell: {allow: [a], interpreter_runtime: [{binary: a, dirs: [{path: /x}]}]}}\n',
    'capabilities.shell.interpreter_runtime[0].dirs[0].list_dir',
  ],
  [
    'capabilities: {shell: {allow: [a], staged_runtime: [{binary: b, source_path: /x, pin: p}]}}\n',
    'capabilities.shell.staged_runtime[0].binary',
  ],
  [
    'capabilities: {shell: {allow: [a], staged_runtime: [{binary: a, source_path: x, pin: p}]}}\n',
    'capabilities.shell.staged_runtime[0].source_path',
  ],
  [
    'capabilities: {shell: {allow: [a], staged_runtime: [{binary: a, source_path: /x, pin: ""}]}}\n',
    'capabilities.shell.staged_runtime[0].pin',
  ],
  [
    'capabilities: {shell: {allow: [a], interpreter_runtime: [{binary: a, dirs: [{path: /x, list_dir: true}]}], staged_runtime: [{binary: a, source_path: /x, pin: p}]}}\n',
    'capabilities.shell.staged_runtime[0].binary',
  ],
  ['capabilities: {env: {allow: HOME}}\n', 'capabilities.env.allow'],
  ['capabilities: {spawn: {allow: [a], workdir_snapshot: [b]}}\n', 'capabilities.spawn.workdir_snapshot[0]'],
  ['capabilities: {install: {}}\n', 'capabilities.install'],
  ['capabilities: {install: {skill: [], tool: []}}\n', 'capabilities.install'],
  ...['a*b', '**', 'Upper', 'a:b', 'a b', '', '-x', 'a/b/c', '/x'].map(
    (entry) =>
      [
        `capabilities: {install: {tool: [${JSON.stringify(entry)}]}}\n`,
        'capabilities.install.tool[0]',
      ] as const,
  ),
  ['capabilities: {install: {tool: [x], from: elsewhere}}\n', 'capabilities.install.from'],
  ['capabilities: {plan: {}}\n', 'capabilities.plan.submit'],
  ['capabilities: {harness: {paths: [{path: x, access: read}]}}\n', 'capabilities.harness.paths[0].path'],
  ['capabilities: {harness: {paths: [{path: ~x, access: read}]}}\n', 'capabilities.harness.paths[0].path'],
  ['capabilities: {harness: {paths: [{path: /x, access: write}]}}\n', 'capabilities.harness.paths[0].access'],
  ['capabilities: {harness: {paths: [{path: /x}]}}\n', 'capabilities.harness.paths[0].access'],
  ...['memory_bytes', 'table_elements', 'instances', 'deadline_seconds'].flatMap((key) =>
    ['0', '-1', '1.5', '"1"'].map(
      (value) => [`capabilities: {limits: {${key}: ${value}}}\n`, `capabilities.limits.${key}`] as const,
    ),
  ),
  ...[
    'max_processes',
    'max_open_files',
    'max_file_size_bytes',
    'cpu_seconds',
    'memory_bytes',
    'cgroup_memory_bytes',
    'cgroup_pids_max',
    'cgroup_cpu_percent',
    'cgroup_io_bytes_per_sec',
    'workdir_max_bytes',
  ].map((key) => [`capabilities: {resources: {${key}: 0}}\n`, `capabilities.resources.${key}`] as const),
  ['capabilities: {containment: tight}\n', 'capabilities.containment'],
  ['capabilities: {task_io: {read: true}}\n', 'capabilities.task_io'],
  // the door
  ['network: {internal_port: 70000}\n', 'network.internal_port'],
  ['network: {authentication: {}}\n', 'network.authentication.scheme'],
  ['network: {authentication: {scheme: basic}}\n', 'network.authentication.scheme'],
  [
    'network: {authentication: {scheme: bearer, credentials: {Up: {scopes: [tasks/get]}}}}\n',
    'network.authentication.credentials.Up',
  ],
  [
    'network: {authentication: {scheme: bearer, credentials: {operator: {scopes: [tasks/get]}}}}\n',
    'network.authentication.credentials.operator',
  ],
  [
    'network: {authentication: {scheme: bearer, credentials: {a: {scopes: []}}}}\n',
    'network.authentication.credentials.a.scopes',
  ],
  [
    'network: {authentication: {scheme: bearer, credentials: {a: {scopes: [other]}}}}\n',
    'network.authentication.credentials.a.scopes[0]',
  ],
  [
    'network: {authentication: {scheme: bearer, credentials: {a: {scopes: [tasks/get, tasks/get]}}}}\n',
    'network.authentication.credentials.a.scopes[1]',
  ],
  [
    'network: {authentication: {scheme: bearer}}\ncapabilities: {spawn: {allow: [a]}}\n',
    'network.authentication',
  ],
  // context
  ['context: {max_tokens: 0}\n', 'context.max_tokens'],
  ['context: {seed_budget: 1.1}\n', 'context.seed_budget'],
  ['context: {seed_overflow_margin: -0.1}\n', 'context.seed_overflow_margin'],
  ['context: {record: maybe}\n', 'context.record'],
  ['context: {retain: {}}\n', 'context.retain'],
  ['context: {retain: }\n', 'context.retain'],
  ['context: {retain: {max_messages: 0}}\n', 'context.retain.max_messages'],
  ['context: {retain: {max_age: 0}}\n', 'context.retain.max_age'],
  ['context: {retain: {max_age: 1w}}\n', 'context.retain.max_age'],
  ['context: {images: {max_bytes: 1Ti}}\n', 'context.images.max_bytes'],
  // inference
  ['inference:\n', 'inference'],
  ['inference: {transport: carrier-pigeon}\n', 'inference.transport'],
  ['inference: {}\n', 'inference.model'],
  ['inference: {model: " "}\n', 'inference.model'],
  ['inference: {endpoint: "https://x"}\n', 'inference.endpoint'],
  ['inference: {api_key: k}\n', 'inference.api_key'],
  ['inference: {model: m, command: c}\n', 'inference.command'],
  ['inference: {model: m, max_turns: 0}\n', 'inference.max_turns'],
  ['inference: {model: m, max_tokens: 0}\n', 'inference.max_tokens'],
  ['inference: {transport: process, max_tokens: 1}\n', 'inference.max_tokens'],
  ['inference: {transport: process, tool_refresh: compaction}\n', 'inference.tool_refresh'],
  ['inference: {transport: process, alternates: []}\n', 'inference.alternates'],
  ['inference: {model: m, max_session_tokens: 0}\n', 'inference.max_session_tokens'],
  ['inference: {model: m, tool_refresh: never}\n', 'inference.tool_refresh'],
  ['inference: {model: m, driver: {config: []}}\n', 'inference.driver.config'],
  ['inference: {model: m, driver: {config: }}\n', 'inference.driver.config'],
  ['inference: {model: m, driver: {artifact: nobody}}\n', 'inference.driver.artifact'],
  ['inference: {model: m, provider: {artifact: nobody}}\n', 'inference.provider.artifact'],
  [`artifacts: [${TOOL}}]\ninference: {model: m, driver: {artifact: t}}\n`, 'inference.driver.artifact'],
  [`artifacts: [${DRIVER}]\ninference: {model: m, driver: {artifact: d}}\n`, 'artifacts[0].gateway'],
  [`artifacts: [${KEYED}]\ninference: {transport: process, driver: {artifact: d}}\n`, 'artifacts[0].gateway'],
  [`artifacts: [${KEYED}]\ninference: {transport: process}\n`, 'artifacts[0].gateway'],
  [`artifacts: [${KEYED}]\n`, 'artifacts[0].gateway'],
  [
    'artifacts: [{name: d, version: 1, runtime: driver, config: {}}]\ninference: {transport: process, driver: {artifact: d}}\n',
    'artifacts[0].config',
  ],
  [
    'artifacts: [{name: d, version: 1, runtime: driver, capabilities: {}}]\ninference: {transport: process, driver: {artifact: d}}\n',
    'artifacts[0].capabilities',
  ],
  ['inference: {model: m, system_prompt: a, system_prompt_file: b}\n', 'inference.system_prompt_file'],
  [
    'inference: {model: m, system_prompt: a, system_prompt_artifact: b}\n',
    'inference.system_prompt_artifact',
  ],
  [
    'inference: {model: m, system_prompt_file: a, system_prompt_artifact: b}\n',
    'inference.system_prompt_artifact',
  ],
  ['inference: {model: m, system_prompt_artifact: b}\n', 'inference.system_prompt_artifact'],
  [
    `artifacts: [${TOOL}}]\ninference: {model: m, system_prompt_artifact: t}\n`,
    'inference.system_prompt_artifact',
  ],
  ['inference: {model: m, compaction: {threshold: 0}}\n', 'inference.compaction.threshold'],
  ['inference: {model: m, compaction: {threshold: 1.01}}\n', 'inference.compaction.threshold'],
  [
    'inference: {model: m, compaction: {system_prompt: a, system_prompt_file: b}}\n',
    'inference.compaction.system_prompt_file',
  ],
  // alternates
  [`${HTTP}, alternates: [{${ALTERNATE}}]}\n`, 'inference.alternates'],
  ...[
    ['name: primary, model: n, driver: {artifact: d}', '[0].name'],
    ['name: Up, model: n, driver: {artifact: d}', '[0].name'],
    ['name: b, model: "", driver: {artifact: d}', '[0].model'],
    ['name: b, model: n', '[0].driver'],
    ['name: b, model: n, driver: {artifact: x}', '[0].driver.artifact'],
    ['name: b, model: n, driver: {artifact: d, config: {}}', '[0].driver.config'],
    ['name: b, model: m, driver: {artifact: d}', '[0]'],
    [`${ALTERNATE}}, {${ALTERNATE}`, '[1].name'],
    [`${ALTERNATE}}, {name: c, model: n, driver: {artifact: d}`, '[1]'],
  ].map(
    ([alternate, key]) =>
      [
        `${HTTP}, alternates: [{${alternate}}]}\ncontrol: {settings: [inference.driver]}\n`,
        `inference.alternates${key}`,
      ] as const,
  ),
  [
    `artifacts: [${KEYED}, {name: e, version: 1, runtime: driver}]\ninference: {model: m, driver: {artifact: d}, alternates: [{name: b, model: n, driver: {artifact: e}}]}\ncontrol: {settings: [inference.driver]}\n`,
    'inference.alternates[0].driver.artifact',
  ],
  [
    `artifacts: [${KEYED}, ${TOOL}}]\ninference: {model: m, driver: {artifact: d}, alternates: [{name: b, model: n, driver: {artifact: t}}]}\ncontrol: {settings: [inference.driver]}\n`,
    'inference.alternates[0].driver.artifact',
  ],
  // lifecycle
  ['lifecycle: {task_acceptance: all}\n', 'lifecycle.task_acceptance'],
  ['lifecycle: {after_task: nap}\n', 'lifecycle.after_task'],
  ['lifecycle: {queue_depth: -1}\n', 'lifecycle.queue_depth'],
  ['lifecycle: {conversation: chatty}\n', 'lifecycle.conversation'],
  ['lifecycle: {max_task_reopens: 0.5}\n', 'lifecycle.max_task_reopens'],
  ['lifecycle: {keep_working: {}}\n', 'lifecycle.keep_working.limit'],
  ['lifecycle: {done_check: {}}\n', 'lifecycle.done_check.command'],
  ['lifecycle: {done_check: {command: make test}}\n', 'lifecycle.done_check.command'],
  [
    'lifecycle: {done_check: {command: "makefile"}}\ncapabilities: {shell: {allow: [make]}}\n',
    'lifecycle.done_check.command',
  ],
  ['lifecycle: {done_check: {command: m, timeout_secs: 0}}\n', 'lifecycle.done_check.timeout_secs'],
  // exports and control
  ['exports: {files: {mode: read-only}}\n', 'exports.files.root'],
  ['exports: {files: {root: "", mode: read-only}}\n', 'exports.files.root'],
  ['exports: {files: {root: ../x, mode: read-only}}\n', 'exports.files.root'],
  ['exports: {files: {root: /x, mode: read-only}}\n', 'exports.files.root'],
  ['exports: {files: {root: x}}\n', 'exports.files.mode'],
  ['exports: {files: {root: x, mode: read-write}}\n', 'exports.files.mode'],
  ['exports: {files: {root: x, mode: read-only, max_bytes: 0}}\n', 'exports.files.max_bytes'],
  ['exports: {peer_files: {}}\n', 'exports.peer_files.root'],
  ['exports: {peer_files: {root: x, max_ttl: 0}}\n', 'exports.peer_files.max_ttl'],
  ['exports: {peer_files: {root: x, max_ttl: 1d}}\n', 'exports.peer_files.max_ttl'],
  ['exports: {peer_tasks: {}}\n', 'exports.peer_tasks.accept'],
  ['exports: {peer_tasks: {accept: on}}\n', 'exports.peer_tasks.accept'],
  ['control: {settings: [inference.max_tokens]}\n', 'control'],
  [`${HTTP}}\ncontrol: {settings: [inference.model]}\n`, 'control.settings[0]'],
  [`${HTTP}}\ncontrol: {settings: [inference.max_tokens, inference.max_tokens]}\n`, 'control.settings[1]'],
  [`${PROCESS}}\ncontrol: {settings: [inference.max_tokens]}\n`, 'control.settings[0]'],
  [`${HTTP}}\ncontrol: {settings: [inference.driver]}\n`, 'control.settings[0]'],
  [`${HTTP}}\ncontrol: {agent_settings: [inference.max_tokens]}\n`, 'control.agent_settings[0]'],
  [`${HTTP}}\ncontrol: {agent_settings: [inference.driver]}\n`, 'control.agent_settings[0]'],
  [`${HTTP}}\ncontrol: {secrets: [lower]}\n`, 'control.secrets[0]'],
  [`${HTTP}}\ncontrol: {secrets: [NOBODY]}\n`, 'control.secrets[0]'],
  [`${HTTP}}\ncontrol: {secrets: [KEY]}\n`, 'control.secrets[0]'],
  // observability and trace
  ['observability: {eval: {scorers: [{}]}}\n', 'observability.eval.scorers[0].type'],
  ['observability: {otel_endpoint: 1}\n', 'observability.otel_endpoint'],
  ['trace: {capture: all}\n', 'trace.capture'],
  ['trace: {capture: meta, include_tool_output: false}\n', 'trace.include_tool_output'],
  ['trace: {retain: {}}\n', 'trace.retain'],
  ['trace: {retain: {max_sessions: 0}}\n', 'trace.retain.max_sessions'],
  ['trace: {retain: {max_age: 0s}}\n', 'trace.retain.max_age'],
];

describe('rules', () => {
  it.each(VIOLATIONS)('are broken by %j, which names %s with its place', (text, key) => {
    const condition = refusal(text);
    expect(condition).toMatchObject({ code: 'E-MAN-003', file: 'murmur.yaml', key });
    expect(condition.line).toBeGreaterThan(2);
    expect(condition.column).toBeGreaterThan(0);
  });

  it('say what was found and where', () => {
    expect(refusal('capabilities:\n  limits:\n    memory_bytes: 0\n')).toEqual({
      variant: null,
      code: 'E-MAN-003',
      file: 'murmur.yaml',
      line: 5,
      column: 19,
      key: 'capabilities.limits.memory_bytes',
      value: '0',
      problem: 'must be a whole number of at least 1',
      remedy: null,
    });
  });

  it('say what kind of value was found where one of another kind belongs', () => {
    const problems = ['{}', '', '[1]', '7'].map(
      (written) => refusal(`capabilities: {network: {allow: ${written}}}\n`).problem,
    );
    expect(problems).toEqual([
      'must be a list, not a mapping',
      'has no value; it must be a list',
      'must be text',
      'must be a list',
    ]);
  });

  it('report the first problem in the order of artifacts, capabilities, inference, the rest', () => {
    const rest = 'trace: {capture: all}\n';
    const inference = `inference: {model: m, command: c}\n${rest}`;
    const capabilities = `capabilities: {task_io: {}}\n${inference}`;
    const artifacts = `artifacts: [{name: t, version: 1, on_overflow: drop}]\n${capabilities}`;
    const keys = [artifacts, capabilities, inference, rest].map((text) => refusal(text).key);
    expect(keys).toEqual([
      'artifacts[0].on_overflow',
      'capabilities.task_io',
      'inference.command',
      'trace.capture',
    ]);
  });

  it('refuse a gateway that says nothing about its key, before later problems', () => {
    for (const key of ['', ', api_key: ""', ', api_key: ', ', keyless: false']) {
      const text = `artifacts: [${TOOL}, gateway: {endpoint: "http://localhost:1"${key}}}]\ntrace: {capture: all}\n`;
      expect(refusal(text)).toEqual({
        variant: 'GatewayWithoutCredential',
        code: 'E-CAP-018',
        name: 't',
        endpoint: 'http://localhost:1',
      });
    }
  });

  it('never quote a secret', () => {
    const secret = 'hunter2-hunter2';
    const texts = [
      `artifacts: [${TOOL}, gateway: {endpoint: "https://x", keyless: true, api_key: ${secret}}}]\n`,
      `artifacts: [${TOOL}, gateway: {endpoint: "https://u:${secret}@x.example", keyless: true}}]\n`,
      `inference: {api_key: ${secret}}\n`,
      `capabilities: {install: {tool: [x], from: "https://u:${secret}@x"}}\n`,
    ];
    for (const text of texts) expect(JSON.stringify(refusal(text))).not.toContain(secret);
  });

  it('show the host that an address with a password would reach', () => {
    const text = `artifacts: [${TOOL}, gateway: {endpoint: "https://api.openai.com@evil.example/v1", keyless: true}}]\n`;
    expect(refusal(text).problem).toContain('evil.example');
  });
});
