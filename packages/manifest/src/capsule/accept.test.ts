// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are what is tested
import { describe, expect, it } from 'vitest';
import { manifestDefaults } from '../defaults.js';
import type { CapsuleManifest } from '../types.js';
import { parseCapsuleManifest } from './parse.js';

const IDENTITY = 'name: demo\nversion: 1.0.0\n';
const read = (rest: string) =>
  parseCapsuleManifest(IDENTITY + rest, { file: 'murmur.yaml', servedVersion: '0.11.0' });
const manifestOf = (rest: string): CapsuleManifest => read(rest).manifest;

describe('a capsule manifest', () => {
  it('has the defaults of the specification where it says nothing', () => {
    const manifest = manifestOf('');
    expect(JSON.parse(JSON.stringify(manifest))).toEqual({
      name: 'demo',
      version: '1.0.0',
      artifacts: [],
      capabilities: {
        network: { allow: [], unixSockets: false },
        filesystem: { readOnly: [], execTrees: [], workdirExec: false },
        env: { allow: [] },
        spawn: { allow: [], workdirSnapshot: [] },
        harness: { paths: [] },
        limits: { memoryBytes: 536870912, tableElements: 100000, instances: 1000 },
        resources: {
          maxProcesses: 128,
          maxOpenFiles: 1024,
          maxFileSizeBytes: 4294967296,
          cpuSeconds: 3600,
          memoryBytes: 2147483648,
          cgroupMemoryBytes: 4294967296,
          cgroupPidsMax: 256,
          cgroupCpuPercent: 200,
          cgroupIoBytesPerSec: 104857600,
          workdirMaxBytes: 10737418240,
        },
      },
      context: { seedBudget: 0.1, seedOverflowMargin: 0.1, record: 'on' },
      lifecycle: {
        taskAcceptance: 'single',
        afterTask: 'exit',
        queueDepth: 1,
        conversation: 'stateless',
        maxTaskReopens: 1,
        shellGraceSecs: 10,
        delegationDeadlineSecs: 600,
      },
      observability: {},
      trace: { capture: 'meta' },
    });
    expect(manifest.inference).toBeUndefined();
    expect(manifest.capabilities.shell).toBeUndefined();
  });

  it('is frozen all the way down, and so is what is said about it', () => {
    const reading = read(
      'capabilities: {env: {allow: [A]}, nonsense: 1}\nartifacts: [{name: t, version: 1, config: {a: [1]}}]\n',
    );
    const isDeepFrozen = (value: unknown): boolean =>
      typeof value !== 'object' ||
      value === null ||
      (Object.isFrozen(value) && Object.values(value).every(isDeepFrozen));
    expect(isDeepFrozen(reading)).toBe(true);
  });

  it('tells an absent list from an empty one where that matters', () => {
    const of = (network: string) =>
      manifestOf(`artifacts: [{name: t, version: 1, capabilities: {network: ${network}}}]\n`).artifacts[0]
        ?.capabilities?.network?.allow;
    expect(of('{}')).toBeUndefined();
    expect(of('{allow: []}')).toEqual([]);
  });

  it('keeps configuration as it is written', () => {
    const config = '{z_key: 1.5, a: [1, {B_c: null}], n: true, t: "1.10"}';
    const text = `artifacts: [{name: t, version: 1, config: ${config}}]\n`;
    expect(JSON.stringify(manifestOf(text).artifacts[0]?.config)).toBe(
      '{"z_key":1.5,"a":[1,{"B_c":null}],"n":true,"t":"1.10"}',
    );
  });

  it('keeps configuration without a value, for the check that refuses it', () => {
    const entry = manifestOf(
      'artifacts: [{name: t, version: 1, config: }, {name: u, version: 1}]\n',
    ).artifacts;
    expect(entry[0]?.config).toBeNull();
    expect(entry[1]?.config).toBeUndefined();
  });

  it('keeps what a later check refuses', () => {
    const manifest = manifestOf(
      'capabilities: {filesystem: {scope: /etc, read_only: ["", "."]}, network: {allow: ["ftp://x"]}}\ncontext: {record_store: ""}\n' +
        'artifacts: [{name: t, version: 1, capabilities: {state: {store: ""}}}, {name: u, version: 1, capabilities: {state: {}}}]\n',
    );
    expect(manifest.capabilities.filesystem).toMatchObject({ scope: '/etc', readOnly: ['', '.'] });
    expect(manifest.capabilities.network.allow).toEqual(['ftp://x']);
    expect(manifest.context.recordStore).toBe('');
    expect(manifest.artifacts[0]?.capabilities?.state).toEqual({ store: '' });
    expect(manifest.artifacts[1]?.capabilities?.state).toEqual({});
  });

  it.each([
    ['on', 'on'],
    ['off', 'off'],
    ['true', 'on'],
    ['false', 'off'],
    ['"off"', 'off'],
  ])('reads context.record: %s as %s', (written, record) => {
    expect(manifestOf(`context: {record: ${written}}\n`).context.record).toBe(record);
  });

  it('takes names with and without a scope', () => {
    const text = 'artifacts: [{name: my-tool, version: 1}, {name: some-owner/my-tool, version: 1}]\n';
    expect(manifestOf(text).artifacts.map((entry) => entry.name)).toEqual(['my-tool', 'some-owner/my-tool']);
  });

  it('gives a skill its own defaults, which an explicit value overrides', () => {
    const text =
      'artifacts: [{name: s, source: ./s, version: 3, runtime: skill}, {name: t, version: 1, runtime: skill, local_source: false, prompt_payload: false}, {name: u, version: 1}]\n';
    const [source, skill, tool] = manifestOf(text).artifacts;
    expect(source).toMatchObject({ version: 'local', source: './s', localSource: true, promptPayload: true });
    expect(skill).toMatchObject({ version: '1', localSource: false, promptPayload: false });
    expect(tool).toMatchObject({
      runtime: 'tool',
      localSource: false,
      promptPayload: false,
      onOverflow: 'drop',
    });
  });

  it('lets a tool opt in to a local source', () => {
    const text = 'artifacts: [{name: t, source: ./t, local_source: true}]\n';
    expect(manifestOf(text).artifacts[0]).toMatchObject({ source: './t', version: 'local' });
  });

  it('has the output cap of the http transport only there', () => {
    const driver = 'artifacts: [{name: d, version: 1, runtime: driver}]\n';
    const gateway =
      'artifacts: [{name: d, version: 1, runtime: driver, gateway: {endpoint: "http://[::1]:1", keyless: true}}]\n';
    const http = manifestOf(`${gateway}inference: {model: m, driver: {artifact: d}}\n`).inference;
    const process = manifestOf(`${driver}inference: {transport: process, driver: {artifact: d}}\n`).inference;
    expect(http).toMatchObject({
      transport: 'http',
      maxTokens: manifestDefaults.inference.maxTokens,
      maxTurns: 10,
    });
    expect(process?.maxTokens).toBeUndefined();
  });

  it('may leave the driver out: that is refused when a session starts', () => {
    expect(manifestOf('inference: {transport: process}\n').inference?.driver).toBeUndefined();
    expect(manifestOf('inference: {transport: process, driver: {}}\n').inference?.driver).toEqual({});
  });

  it('takes the older spelling of the driver, and prefers the newer', () => {
    const artifacts =
      'artifacts: [{name: d, version: 1, runtime: driver}, {name: e, version: 1, runtime: driver}]\n';
    const of = (keys: string) =>
      manifestOf(`${artifacts}inference: {transport: process, ${keys}}\n`).inference?.driver;
    expect(of('provider: {artifact: d}')).toEqual({ artifact: 'd' });
    expect(of('provider: {artifact: d}, driver: {artifact: e}')).toEqual({ artifact: 'e' });
  });

  it('trims one prompt and not the other, and takes blank text for none', () => {
    const { inference } = manifestOf(
      'inference: {transport: process, model: " ", system_prompt: "  a  ", system_prompt_file: "", compaction: {system_prompt: "  b "}}\n',
    );
    expect(inference).toMatchObject({
      systemPrompt: 'a',
      compaction: { systemPrompt: '  b ', threshold: 0.98 },
    });
    expect(inference?.model).toBeUndefined();
    expect(inference?.systemPromptFile).toBeUndefined();
  });

  it.each([
    ['capture: none', 'none'],
    ['capture: content', 'content'],
    ['include_tool_output: true', 'content'],
    ['include_tool_output: false', 'meta'],
  ])('reads trace {%s} as %s', (written, capture) => {
    expect(manifestOf(`trace: {${written}}\n`).trace.capture).toBe(capture);
  });

  it('reads sizes and durations', () => {
    const {
      exports: shown,
      context,
      trace,
    } = manifestOf(
      'exports: {files: {root: ., mode: read-only, max_bytes: 2Mi}, peer_files: {root: a/../b, max_ttl: 15m}}\ncontext: {retain: {max_age: 2d}}\ntrace: {retain: {max_age: 90}}\n',
    );
    expect(shown?.files).toEqual({ root: '.', mode: 'read-only', maxBytes: 2 * 1024 * 1024 });
    expect(shown?.peerFiles).toEqual({ root: 'a/../b', maxTtl: 900, maxBytes: 10 * 1024 * 1024 });
    expect([context.retain?.maxAge, trace.retain?.maxAge]).toEqual([172800, 90]);
  });

  it('takes an explicit deadline and keeps an absent one absent', () => {
    expect(
      manifestOf('capabilities: {limits: {deadline_seconds: 5}}\n').capabilities.limits.deadlineSeconds,
    ).toBe(5);
    expect(manifestOf('').capabilities.limits.deadlineSeconds).toBeUndefined();
  });

  it('takes every kind of install entry', () => {
    const entries = ['name', 'prefix-*', '*', 'owner/name', 'owner/pre*'];
    const text = `capabilities: {install: {skill: ${JSON.stringify(entries)}}}\n`;
    expect(manifestOf(text).capabilities.install).toEqual({ skill: entries, tool: [] });
  });

  it('finds the program of a done check as a shell does', () => {
    const of = (command: string) =>
      manifestOf(
        `lifecycle: {done_check: {command: '${command}'}}\ncapabilities: {shell: {allow: [make]}}\n`,
      );
    for (const command of ['make test', '"make" test', 'm"ak"e', '  make']) {
      expect(of(command).lifecycle.doneCheck).toEqual({ command, limit: 1, timeoutSecs: 600 });
    }
  });

  it('takes tokens of the door by the names an author chose', () => {
    const text =
      'network: {authentication: {scheme: bearer, credentials: {read_only: {scopes: [tasks/get]}}}}\n';
    expect(manifestOf(text).network?.authentication?.credentials).toEqual({
      read_only: { scopes: ['tasks/get'] },
    });
  });

  it('takes a whole alternate and a secret supplied later', () => {
    const gateway = 'gateway: {endpoint: "https://x.example", api_key: "${';
    const { inference, control } = manifestOf(
      `artifacts:\n  - {name: d, version: 1, runtime: driver, ${gateway}A}"}}\n  - {name: e, version: 1, runtime: driver, ${gateway}B}"}}\n` +
        'inference: {model: m, driver: {artifact: d}, alternates: [{name: b, model: m, driver: {artifact: e}}]}\n' +
        'control: {settings: [inference.driver], secrets: [B]}\n',
    );
    expect(inference?.alternates).toEqual([{ name: 'b', model: 'm', driver: { artifact: 'e' } }]);
    expect(control?.secrets).toEqual(['B']);
  });

  it('takes a scorer of any type and names it after the type', () => {
    const text = 'observability: {eval: {scorers: [{type: new_one}, {type: max_turns, name: n, max: 3}]}}\n';
    expect(manifestOf(text).observability.eval?.scorers).toEqual([
      { type: 'new_one', name: 'new_one', expected: [] },
      { type: 'max_turns', name: 'n', max: 3, expected: [] },
    ]);
  });

  it('may be an artifact manifest as well', () => {
    const text =
      'runtime: tool\nimplementation: wasm\nexecution: wasm\nrequires_files: [a]\nupstream_auth: {header: X}\nbinding: on-stage\n';
    expect(read(text).warnings).toEqual([]);
  });
});

describe('warnings', () => {
  const perKey = { code: 'W-SEC-019', wanted: null, served: null, unknown: null };

  it('name every unknown key, in the order of the text, with its block and a near key', () => {
    const { warnings } = read(
      'zzz: 1\ncapabilities:\n  filesystem: {read-only: [x]}\n  shel: {}\nartifacts: [{name: t, version: 1, capabilites: {}}]\n' +
        'network: {authentication: {scheme: bearer, credentials: {a: {scopes: [tasks/get], scope: 1}}}}\n',
    );
    expect(warnings).toEqual([
      { ...perKey, key: 'zzz', block: 'at the top level', suggestion: null },
      { ...perKey, key: 'read-only', block: 'in capabilities.filesystem', suggestion: 'read_only' },
      { ...perKey, key: 'shel', block: 'in capabilities', suggestion: 'shell' },
      { ...perKey, key: 'capabilites', block: 'in artifacts[0]', suggestion: 'capabilities' },
      { ...perKey, key: 'scope', block: 'in network.authentication.credentials.a', suggestion: 'scopes' },
    ]);
  });

  it('do not look into free-form configuration', () => {
    const text = 'artifacts: [{name: t, version: 1, config: {anything: {goes: 1}}}]\n';
    expect(read(text).warnings).toEqual([]);
  });

  it.each([
    ['0.12.0', true],
    ['1.0.0', true],
    ['0.11.1', true],
    ['0.11.0', false],
    ['0.9.9', false],
    ['0.12', false],
    ['next', false],
  ])('add a line for mur_version %s beside an unknown key: %s', (wanted, added) => {
    const last = read(`mur_version: ${wanted}\nzzz: 1\nyyy: 1\n`).warnings.at(-1);
    const line = {
      code: 'W-SEC-019',
      key: null,
      suggestion: null,
      block: 'at the top level',
      wanted,
      served: '0.11.0',
      unknown: 2,
    };
    expect(last).toEqual(added ? line : expect.objectContaining({ key: 'yyy' }));
    expect(read(`mur_version: ${wanted}\n`).warnings).toEqual([]);
  });

  it('name grants of the capsule that have no effect there', () => {
    const { warnings } = read('capabilities: {state: {store: x}, conversation: {read: true}}\n');
    expect(warnings).toEqual([{ code: 'W-SEC-014' }, { code: 'W-SEC-016' }]);
  });
});
