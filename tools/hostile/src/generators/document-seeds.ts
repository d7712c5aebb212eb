// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are what is read
import type { SeedDocument } from './documents.js';

const DIGEST = 'a'.repeat(64);
const OTHER_DIGEST = '0123456789abcdef'.repeat(4);

/** Capsule manifests that between them hold every block. */
export const manifests: readonly SeedDocument[] = [
  { name: 'plain', version: '1.0.0' },
  {
    name: 'process-capsule',
    version: '0.1.0',
    mur_version: '0.1.0',
    artifacts: [{ name: 'murmur-driver-codex', version: '0.1.0', runtime: 'driver' }],
    inference: {
      transport: 'process',
      model: 'a-model',
      command: './bin/agent',
      max_turns: 20,
      system_prompt: 'Be brief.',
      driver: { artifact: 'murmur-driver-codex', config: { profile: 'work', overrides: { a: [1, 'x'] } } },
    },
    capabilities: {
      env: { allow: ['PATH', 'HOME', 'LANG'] },
      network: { allow: ['api.example.org:443', 'https://example.com', '10.0.0.1'], unix_sockets: true },
      harness: { paths: [{ path: '~/.codex', access: 'read-write' }] },
      spawn: { allow: ['other'], workdir_snapshot: ['other'] },
      filesystem: { scope: 'src', read_only: ['docs', '.'], workdir_exec: false, exec_trees: ['bin'] },
      containment: 'scoped',
      limits: { memory_bytes: 1048576, table_elements: 10, instances: 2, deadline_seconds: 5 },
      resources: {
        max_processes: 10,
        max_open_files: 64,
        max_file_size_bytes: 1000000,
        cpu_seconds: 60,
        memory_bytes: 67108864,
        workdir_max_bytes: 1000000,
      },
    },
    context: { record: 'on', record_store: 'shared', seed_budget: 0.2 },
    lifecycle: {
      task_acceptance: 'single',
      after_task: 'exit',
      conversation: 'threaded',
      max_task_reopens: 2,
    },
  },
  {
    name: 'everything',
    version: '2.0',
    artifacts: [
      {
        name: 'owner/tool',
        version: '1.2.3',
        runtime: 'tool',
        config: { key: 'value', list: [1, 2] },
        capabilities: {
          network: { allow: ['example.org'] },
          filesystem: { scope: 'a' },
          state: { store: 's' },
        },
      },
      { name: 'skill', source: './skill', runtime: 'skill', prompt_payload: true },
      {
        name: 'driver',
        version: '1.0.0',
        runtime: 'driver',
        gateway: { endpoint: 'https://api.example.org/v1', api_key: '${KEY}' },
      },
      {
        name: 'spare',
        version: '1.0.0',
        runtime: 'driver',
        gateway: { endpoint: 'https://spare.example.org/v1', api_key: '${SPARE_KEY}' },
      },
      { name: 'hook', version: 1, runtime: 'hook', on_overflow: 'block' },
    ],
    inference: {
      transport: 'http',
      model: 'm',
      driver: { artifact: 'driver' },
      max_tokens: 100,
      alternates: [{ name: 'other', model: 'other', driver: { artifact: 'spare' } }],
      compaction: { threshold: 0.9 },
    },
    capabilities: {
      shell: { allow: ['git', 'npm'], strip_env: ['X_TOKEN'] },
      install: { skill: ['a', 'owner/b*'], tool: ['*'], from: 'sources' },
      peer_fetch: { allow: ['peer.example'] },
      plan: { submit: true },
    },
    network: {
      internal_port: 8080,
      authentication: { scheme: 'bearer', credentials: { viewer: { scopes: ['tasks/get'] } } },
    },
    lifecycle: {
      task_acceptance: 'queue',
      after_task: 'sleep',
      queue_depth: 3,
      keep_working: { limit: 2 },
      done_check: { command: 'git status', limit: 1 },
    },
    trace: { capture: 'content', retain: { max_sessions: 3, max_age: '7d' } },
    observability: {
      otel_endpoint: 'http://127.0.0.1:4318',
      eval: { dataset_id: 'd', scorers: [{ type: 'tool_sequence', expected: ['a'] }] },
    },
    exports: {
      files: { root: 'out', mode: 'read-only', max_bytes: '1Mi' },
      peer_files: { root: 'shared', max_ttl: '1h' },
      peer_tasks: { accept: true },
    },
    control: { settings: ['inference.max_tokens', 'inference.driver'], secrets: ['SPARE_KEY'] },
  },
];

export const artifactManifests: readonly SeedDocument[] = [
  { name: 'tool', version: '1.0.0', runtime: 'tool' },
  {
    name: 'driver',
    version: '0.1.0',
    runtime: 'driver',
    implementation: 'wasm',
    execution: 'wasm',
    requires_files: ['a.txt'],
    description: 'What it does.',
    tags: ['a', 'b'],
    upstream_auth: { header: 'authorization', scheme: 'Bearer' },
  },
  {
    name: 'helper',
    version: '2.1',
    runtime: 'tool',
    implementation: 'native',
    input_schema: { type: 'object', properties: { a: { type: 'string' } } },
    output_schema: '{"type":"string"}',
    programs: ['git'],
  },
  { name: 'skill', version: 'x', runtime: 'skill', execution: 'static' },
  {
    name: 'hook',
    version: '1',
    runtime: 'hook',
    binding: 'before-tool',
    execution_mode: 'blocking',
    commit_policy: 'all',
  },
];

export const locks: readonly SeedDocument[] = [
  { lock_version: 2, artifacts: [] },
  {
    lock_version: 2,
    artifacts: [
      { name: 'murmur-driver-codex', resolved_version: '0.1.0', sha256: { any: DIGEST }, origin: 'operator' },
      {
        name: 'owner/tool',
        resolved_version: '1.10',
        sha256: { platforms: { 'linux-x64': DIGEST, 'linux-arm64': OTHER_DIGEST } },
        origin: 'runtime',
        session: 'ses_01',
        later: { key: [1, 2.5, null] },
      },
    ],
    future: 'kept',
  },
];

export const configs: readonly SeedDocument[] = [
  {},
  {
    registry: {
      default: 'official',
      index_url: 'https://index.example',
      sources: [
        { name: 'official', type: 'github', repo: 'owner/repo', token: '${TOKEN}' },
        { name: 'other', type: 'github', url: 'https://git.example' },
      ],
    },
    inference: { provider: 'openai', model: 'm', api_key: '${KEY}', endpoint: 'https://api.example' },
    credentials: { TOKEN: 'secret-text', KEY: ' ' },
    spend: { machine_tokens_per_day: 1000 },
    containment: 'scoped',
    beta: { enabled: ['a'] },
    host_paths: [
      { path: '/opt/tools', access: 'read' },
      { path: '~/data', access: 'read-write' },
    ],
  },
];

export const envFiles: readonly SeedDocument[] = [
  'A=1\n',
  '# comment\nexport NAME="double quoted"\nOTHER=\'single\'\nTICK=`back\nticked`\nEMPTY=\nSPACED = value # tail\n',
  'MULTI="line one\nline two"\nESC="a\\nb\\t"\nREF=${A}\nHASH=a#b\n',
];
