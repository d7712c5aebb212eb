import { describe, expect, it } from 'vitest';
import { parseCapsuleManifest } from './capsule/parse.js';
import { configKeyTable, manifestKeyTable } from './key-table.js';
import { keyStates } from './served.js';

const read = (text: string) => parseCapsuleManifest(text, { file: 'murmur.yaml' });

/** Everything that a manifest of the http transport can ask for. */
const HTTP = `
name: demo
version: 1.0.0
artifacts:
  - name: d
    version: 1
    runtime: driver
    capabilities: {network: {allow: []}}
    config: {a: 1}
    gateway: {endpoint: "https://a.example", api_key: "\${KEY}"}
  - {name: t, version: 1}
  - {name: h, version: 1, runtime: hook, on_overflow: block, prompt_payload: true}
  - {name: s, source: ./s, local_source: true, runtime: skill}
capabilities:
  network: {allow: [a.example], unix_sockets: true}
  peer_fetch: {allow: [a.example]}
  filesystem: {scope: src, read_only: [.git], exec_trees: [bin], workdir_exec: true}
  shell:
    allow: [a, b]
    strip_env: [X_*]
    baseline_env: [PATH]
    interpreter_runtime: [{binary: a, dirs: [{path: /x, list_dir: true}]}]
    staged_runtime: [{binary: b, source_path: /x, pin: p}]
  spawn: {allow: [c], workdir_snapshot: [c]}
  install: {skill: ["*"], tool: [x-*], from: sources}
  plan: {submit: true}
  harness: {paths: [{path: ~/x, access: read}]}
  limits: {memory_bytes: 1, table_elements: 1, instances: 1, deadline_seconds: 1}
  resources:
    {memory_bytes: 1, cgroup_memory_bytes: 1, cgroup_pids_max: 1, cgroup_cpu_percent: 1, cgroup_io_bytes_per_sec: 1, workdir_max_bytes: 1}
network: {internal_port: 8080}
context: {max_tokens: 1, seed_budget: 0.2, seed_overflow_margin: 0.2, retain: {max_messages: 1}, images: {max_bytes: 1Mi}}
observability: {otel_endpoint: "http://localhost:4318", eval: {dataset_id: x}}
trace: {capture: content, retain: {max_sessions: 1}}
inference:
  model: m
  driver: {artifact: d}
  max_tokens: 1
  max_session_tokens: 1
  tool_refresh: immediate
  alternates: [{name: b, model: n, driver: {artifact: d}}]
  system_prompt_artifact: s
  compaction: {}
lifecycle:
  task_acceptance: queue
  after_task: sleep
  queue_depth: 2
  input_timeout_secs: 1
  max_task_reopens: 2
  shell_grace_secs: 1
  delegation_deadline_secs: 1
  deadline_notice_secs: 1
  keep_working: {limit: 1}
  done_check: {command: a --all}
exports: {files: {root: ., mode: read-only}, peer_files: {root: out}, peer_tasks: {accept: true}}
control: {settings: [inference.max_tokens], agent_settings: [inference.driver]}
`;

/** What cannot stand in the first one. */
const REST = `
name: demo
version: 1.0.0
artifacts:
  - {name: d, version: 1, runtime: driver, gateway: {endpoint: "https://a.example", keyless: true}}
  - {name: t, version: 1, gateway: {endpoint: "https://a.example", api_key: "\${OTHER}"}}
inference: {model: m, driver: {artifact: d}}
network: {authentication: {scheme: bearer}}
trace: {include_tool_output: true}
control: {secrets: [OTHER]}
`;

/** Everything that is served, and defaults spelt out. */
const SERVED = `
name: demo
version: 1.0.0
mur_version: 0.11.0
artifacts:
  - {name: d, version: 1, runtime: driver, local_source: false, prompt_payload: false}
capabilities:
  filesystem: {read_only: [], exec_trees: [], workdir_exec: false}
  env: {allow: [LANG]}
  spawn: {allow: [], workdir_snapshot: []}
  plan: {submit: false}
  harness: {paths: []}
  resources: {max_processes: 10, max_open_files: 10, max_file_size_bytes: 10, cpu_seconds: 10}
  containment: advisory
context: {record: off, record_store: mine, seed_budget: 0.1, seed_overflow_margin: 0.1}
observability: {otel_endpoint: "  "}
trace: {include_tool_output: false}
inference:
  transport: process
  model: m
  driver: {artifact: d, config: {a: 1}}
  command: codex
  max_turns: 3
  system_prompt: hello
lifecycle:
  {task_acceptance: single, after_task: exit, queue_depth: 1, conversation: threaded, max_task_reopens: 1, shell_grace_secs: 10, delegation_deadline_secs: 600}
exports: {peer_tasks: {accept: false}}
control: {settings: [], secrets: [], agent_settings: []}
network: {}
runtime: tool
tags: [a]
`;

const patterns = (uses: readonly { key: string }[]): string[] =>
  uses.map((use) => use.key.replace(/\[\d+\]/g, '[]'));

describe('the state of keys', () => {
  it('is known for every key of a capsule manifest and of a configuration file', () => {
    const table = [...manifestKeyTable(), ...configKeyTable()];
    const isBlock = (key: string): boolean =>
      table.some((row) => row.key.startsWith(`${key}.`) || row.key.startsWith(`${key}[].`));
    expect(table.filter((row) => row.state === null && !isBlock(row.key))).toEqual([]);
    expect(table.length).toBeGreaterThan(200);
  });

  it('is told of no key that does not exist', () => {
    const known = new Set(manifestKeyTable().map((row) => row.key));
    expect(Object.keys(keyStates).filter((key) => !known.has(key))).toEqual([]);
  });

  it('comes with what every key does', () => {
    expect([...manifestKeyTable(), ...configKeyTable()].filter((row) => row.note === '')).toEqual([]);
  });

  it('is reported for every key that is not served or not enforced', () => {
    const readings = [read(HTTP), read(REST)];
    const ofState = (state: string): string[] =>
      Object.keys(keyStates)
        .filter((key) => keyStates[key]?.state === state)
        .sort();
    const unserved = new Set(readings.flatMap((reading) => patterns(reading.unserved)));
    const unenforced = new Set(readings.flatMap((reading) => patterns(reading.unenforced)));
    expect([...unserved].sort()).toEqual(ofState('not served'));
    expect([...unenforced].sort()).toEqual(ofState('not enforced'));
  });

  it('is not reported for what is served, nor for defaults spelt out', () => {
    const { unserved, unenforced, warnings } = read(SERVED);
    expect({ unserved, unenforced, warnings }).toEqual({ unserved: [], unenforced: [], warnings: [] });
  });

  it.each([
    ['no inference at all', 'name: a\nversion: 1\n', [{ key: 'inference', line: 1, column: 1 }]],
    [
      'no transport',
      'name: a\nversion: 1\ninference: {model: m}\n',
      [{ key: 'inference.transport', line: 3, column: 1 }],
    ],
    [
      'no role of an artifact',
      'name: a\nversion: 1\nartifacts:\n  - name: t\n    version: 1\ninference: {transport: process}\n',
      [{ key: 'artifacts[0].runtime', line: 4, column: 5 }],
    ],
  ])('counts what is left out as well: %s', (_, text, unserved) => {
    expect(read(text).unserved).toEqual(unserved);
  });

  it('names every key with its place', () => {
    const text =
      'name: a\nversion: 1\ninference:\n  transport: process\nnetwork:\n  internal_port: 1\ncapabilities:\n  network:\n    allow: []\n';
    const { unserved, unenforced } = read(text);
    expect(unserved).toEqual([{ key: 'network.internal_port', line: 6, column: 3 }]);
    expect(unenforced).toEqual([{ key: 'capabilities.network.allow', line: 9, column: 5 }]);
  });
});
