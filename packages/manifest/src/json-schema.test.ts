// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are what is written
import { readdirSync, readFileSync } from 'node:fs';
import { isMurmurError } from '@murmur/errors';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseCapsuleManifest } from './capsule/parse.js';
import { capsuleJsonSchema } from './json-schema.js';
import { manifestKeyTable } from './key-table.js';

const committed = new URL('../schema/murmur.schema.json', import.meta.url);
const examples = new URL('../../../examples/', import.meta.url);

/** Strict: an unknown keyword, an unknown format or a type that cannot be throws. */
const ajv = new Ajv2020({ strict: true, strictTypes: true, allowUnionTypes: true, allErrors: true });
const validate = ajv.compile(JSON.parse(readFileSync(committed, 'utf8')));

const accepts = (document: unknown): boolean => validate(document);
/** The reader's verdict on the same document; JSON is YAML. */
const reads = (document: unknown): boolean => {
  try {
    return parseCapsuleManifest(JSON.stringify(document), { file: 'murmur.yaml' }).warnings.every(
      ({ code }) => code !== 'W-SEC-019',
    );
  } catch (error) {
    if (!isMurmurError(error)) throw error;
    return false;
  }
};

const artifactCapabilities = {
  network: { allow: ['example.org'], unix_sockets: false },
  peer_fetch: { allow: ['localhost'] },
  filesystem: { scope: 'a', read_only: ['b'], exec_trees: ['c'], workdir_exec: false, records: false },
  shell: {
    allow: ['git', 'node'],
    strip_env: ['X_*'],
    baseline_env: ['PATH'],
    interpreter_runtime: [{ binary: 'git', dirs: [{ path: '/usr/lib', list_dir: true }] }],
    staged_runtime: [{ binary: 'node', source_path: '/opt', pin: '1' }],
  },
  env: { allow: ['A'] },
  spawn: { allow: ['b'], workdir_snapshot: ['b'] },
  plan: { submit: true },
  harness: { paths: [{ path: '~/.x', access: 'read' }] },
  limits: { memory_bytes: 1, table_elements: 1, instances: 1, deadline_seconds: 1 },
  resources: {
    max_processes: 1,
    max_open_files: 1,
    max_file_size_bytes: 1,
    cpu_seconds: 1,
    memory_bytes: 1,
    cgroup_memory_bytes: 1,
    cgroup_pids_max: 1,
    cgroup_cpu_percent: 1,
    cgroup_io_bytes_per_sec: 1,
    workdir_max_bytes: 1,
  },
  containment: 'scoped',
  state: { store: 's' },
  task_io: { read: true },
  conversation: { read: true },
};
const { task_io: _hookOnly, ...capsuleCapabilities } = artifactCapabilities;
const { records: _hooksOnly, ...filesystem } = artifactCapabilities.filesystem;

/** Together these documents use every key that is not refused outright. */
const everything: readonly Record<string, unknown>[] = [
  {
    name: 'all',
    version: 1.1,
    mur_version: '0.1.0',
    artifacts: [
      {
        name: 'd',
        version: '1',
        runtime: 'driver',
        gateway: { endpoint: 'https://a.example', api_key: '${KEY}', keyless: false },
      },
      {
        name: 'd2',
        version: '1',
        runtime: 'driver',
        gateway: { endpoint: 'https://b.example', api_key: '${OTHER_KEY}' },
      },
      { name: 'h', version: '1', runtime: 'hook', on_overflow: 'block', capabilities: artifactCapabilities },
      { name: 's', source: './s', runtime: 'skill', local_source: true, prompt_payload: true },
      { name: 'scope/t', version: '1', config: { any: [1, null] } },
    ],
    capabilities: {
      ...capsuleCapabilities,
      filesystem,
      containment: 'sealed',
      install: { skill: ['*'], tool: ['a-*'], from: 'sources' },
    },
    context: {
      max_tokens: 1000,
      seed_budget: 0.5,
      seed_overflow_margin: 0,
      record: 'on',
      record_store: 'r',
      retain: { max_messages: 1, max_age: '7d' },
      images: { max_bytes: '1Mi' },
    },
    observability: {
      otel_endpoint: 'http://127.0.0.1:4318',
      eval: { dataset_id: 'x', scorers: [{ type: 'tool_sequence', name: 'n', max: 1, expected: ['a'] }] },
    },
    trace: { capture: 'meta', retain: { max_sessions: 1, max_age: 60 } },
    inference: {
      transport: 'http',
      model: 'm',
      driver: { artifact: 'd', config: { a: 1 } },
      max_turns: 1,
      max_tokens: 1,
      max_session_tokens: 1,
      tool_refresh: 'immediate',
      alternates: [{ name: 'b', model: 'n', driver: { artifact: 'd2' } }],
      system_prompt: 'text',
      compaction: { threshold: 0.5, model: 'm', system_prompt: 'p', dump_summaries: true },
    },
    lifecycle: {
      task_acceptance: 'queue',
      after_task: 'sleep',
      queue_depth: 1,
      input_timeout_secs: 1,
      conversation: 'threaded',
      max_task_reopens: 1,
      shell_grace_secs: 1,
      delegation_deadline_secs: 1,
      deadline_notice_secs: 1,
      keep_working: { limit: 1 },
      done_check: { command: 'git status', limit: 1, timeout_secs: 1 },
    },
    exports: {
      files: { root: 'out', mode: 'read-only', max_bytes: 1 },
      peer_files: { root: 'out', max_ttl: '1m', max_bytes: '1Ki' },
      peer_tasks: { accept: true },
    },
    control: { settings: ['inference.driver'], secrets: ['OTHER_KEY'], agent_settings: ['inference.driver'] },
  },
  {
    name: 'rest',
    version: '1',
    artifacts: [{ name: 'd', version: '1', runtime: 'driver' }],
    network: {
      internal_port: 1,
      authentication: { scheme: 'bearer', credentials: { reader: { scopes: ['tasks/get'] } } },
    },
    trace: { include_tool_output: false },
    inference: {
      transport: 'process',
      provider: { artifact: 'd', config: {} },
      command: 'x',
      system_prompt_file: 'p.md',
    },
  },
  {
    name: 'prompts',
    version: '1',
    artifacts: [
      {
        name: 'd',
        version: '1',
        runtime: 'driver',
        gateway: { endpoint: 'https://a.example', keyless: true },
      },
      { name: 's', version: '1', runtime: 'skill' },
    ],
    inference: {
      model: 'm',
      driver: { artifact: 'd' },
      system_prompt_artifact: 's',
      compaction: { system_prompt_file: 'p.md' },
    },
    context: { max_tokens: 1000 },
  },
];

interface Place {
  readonly key: string;
  readonly value: unknown;
  /** The whole document with another value here. */
  readonly with: (value: unknown) => unknown;
}

/** Every key of a document, with list indexes as `[]` and names of the author's choice as `<name>`. */
function places(document: unknown, key = '', replace = (value: unknown): unknown => value): readonly Place[] {
  const here: Place = { key, value: document, with: replace };
  if (Array.isArray(document)) {
    return [
      here,
      ...document.flatMap((item, index) =>
        places(item, `${key}[]`, (value) => replace(document.with(index, value))),
      ),
    ];
  }
  if (typeof document !== 'object' || document === null || /(^|\.)config$/.test(key)) return [here];
  return [
    here,
    ...Object.entries(document).flatMap(([name, item]) => {
      const shown = key.endsWith('.credentials') ? '<name>' : name;
      return places(item, key === '' ? shown : `${key}.${shown}`, (value) =>
        replace({ ...document, [name]: value }),
      );
    }),
  ];
}

const all = everything.flatMap((document) => places(document));
const table = manifestKeyTable();
const kindOf = (key: string): string => table.find((row) => row.key === key)?.kind ?? 'mapping';

describe('the JSON Schema of murmur.yaml', () => {
  it('is what the reader’s schema says; write it anew with scripts/write-schema.mjs', () => {
    expect(JSON.parse(readFileSync(committed, 'utf8'))).toEqual(capsuleJsonSchema());
  });

  it('describes every key', () => {
    const text = JSON.stringify(capsuleJsonSchema());
    for (const { note } of table) expect(text).toContain(JSON.stringify(note));
  });

  it('accepts the examples', () => {
    const names = readdirSync(examples);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      const document: unknown = parse(readFileSync(new URL(`${name}/murmur.yaml`, examples), 'utf8'));
      expect([name, accepts(document), validate.errors]).toEqual([name, true, null]);
    }
  });

  it('accepts documents that use every key, as the reader does', () => {
    for (const document of everything) {
      expect(() => parseCapsuleManifest(JSON.stringify(document), { file: 'murmur.yaml' })).not.toThrow();
      expect([accepts(document), validate.errors]).toEqual([true, null]);
    }
    const used = new Set(all.map(({ key }) => key));
    const refused = table.filter(({ note }) => /^(Refused|Belongs to)/.test(note)).map(({ key }) => key);
    expect(table.map(({ key }) => key).filter((key) => !used.has(key) && !refused.includes(key))).toEqual([]);
  });

  it('refuses a value of another kind at every key, as the reader does', () => {
    for (const { key, value, with: replaced } of all) {
      if (kindOf(key) === 'anything' && key !== '') continue;
      const wrong = replaced(typeof value === 'object' && !Array.isArray(value) ? [7] : { nonsense: [] });
      expect([key, accepts(wrong), reads(wrong)]).toEqual([key, false, false]);
    }
  });

  it('refuses a key without a value wherever the reader does', () => {
    for (const { key, with: replaced } of all) {
      const empty = replaced(null);
      // What only a rule between keys needs is the reader's to miss.
      if (reads(empty)) expect([key, accepts(empty)]).toEqual([key, true]);
      else if (kindOf(key) !== 'anything' && kindOf(key) !== 'text')
        expect([key, accepts(empty)]).toEqual([key, false]);
    }
  });

  it('refuses an unknown key in every block', () => {
    for (const { key, value, with: replaced } of all) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
      if (key.endsWith('config') || key.endsWith('credentials')) continue;
      expect([key, accepts(replaced({ ...value, unheard_of: 1 }))]).toEqual([key, false]);
    }
  });

  it.each([
    {},
    { name: 'a' },
    { name: ' ', version: '1' },
    { name: 'a', version: '1', config: {} },
    { name: 'a', version: '1', artifacts: [{ name: 'Upper', version: '1' }] },
    { name: 'a', version: '1', artifacts: [{ version: '1' }] },
    { name: 'a', version: '1', capabilities: { shell: { allow: [] } } },
    { name: 'a', version: '1', capabilities: { shell: { allow: ['/bin/sh'] } } },
    { name: 'a', version: '1', capabilities: { containment: 'heavy' } },
    { name: 'a', version: '1', capabilities: { task_io: { read: true } } },
    { name: 'a', version: '1', trace: { retain: {} } },
    { name: 'a', version: '1', context: { retain: { max_age: '0d' } } },
    { name: 'a', version: '1', inference: { max_turns: 0 } },
  ])('refuses %j, as the reader does', (document) => {
    expect(accepts(document)).toBe(false);
    expect(reads(document)).toBe(false);
  });
});
