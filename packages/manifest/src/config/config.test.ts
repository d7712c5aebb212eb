// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are what is tested
import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../test/refusal.js';
import { builtInConfig, mergeConfig, strongestFloor } from './merge.js';
import { parseConfig } from './parse.js';
import type { ConfigReading } from './types.js';

const global = (text: string): ConfigReading => parseConfig(text, { file: 'config.yaml', layer: 'global' });
const project = (text: string): ConfigReading => parseConfig(text, { file: 'config.yaml', layer: 'project' });

describe('a configuration file', () => {
  it('may be empty, and then sets nothing', () => {
    for (const text of ['', '# nothing\n', '{}\n']) {
      expect(JSON.parse(JSON.stringify(global(text).config))).toEqual({
        registry: { sources: [] },
        inference: {},
        credentials: {},
        spend: {},
        beta: { enabled: [] },
        hostPaths: [],
      });
    }
  });

  it('is read whole', () => {
    const { config, ignored } = global(`
registry:
  default: mine
  index_url: https://x.example/index.json
  sources: [{name: mine, type: github, repo: a/b, token: "\${T}"}]
inference: {provider: anthropic, model: m, api_key: k, endpoint: ""}
credentials: {A_KEY: a, BLANK: " "}
spend: {machine_tokens_per_day: 5}
containment: scoped
beta: {enabled: [x]}
host_paths: [{path: ~/data, access: read}]
`);
    expect(config).toMatchObject({
      registry: { default: 'mine', indexUrl: 'https://x.example/index.json' },
      inference: { provider: 'anthropic', model: 'm', apiKey: 'k' },
      credentials: { A_KEY: 'a' },
      spend: { machineTokensPerDay: 5 },
      containment: 'scoped',
      beta: { enabled: ['x'] },
      hostPaths: [{ path: '~/data', access: 'read' }],
    });
    expect(config.credentials).not.toHaveProperty('BLANK');
    expect(ignored).toEqual([]);
  });

  it('says what is not served and what does not bind', () => {
    const { unserved, unenforced } = global(
      'spend: {machine_tokens_per_day: 5}\nhost_paths: [{path: /x, access: read}]\n',
    );
    expect(unserved).toEqual([{ key: 'host_paths', line: 2, column: 1 }]);
    expect(unenforced).toEqual([{ key: 'spend.machine_tokens_per_day', line: 1, column: 9 }]);
    expect(global('host_paths: []\n').unserved).toEqual([]);
  });

  it('names unknown keys', () => {
    expect(global('credentails: {}\nzz: 1\n').ignored).toEqual([
      { key: 'credentails', line: 1, column: 1, reason: "is not known; did you mean 'credentials'?" },
      { key: 'zz', line: 2, column: 1, reason: 'is not known' },
    ]);
  });

  it.each([
    ['a: [\n', /line 2, column 1/],
    ['[]\n', /mapping/],
    ['spend: {machine_tokens_per_day: 0}\n', /line 1, column 9: spend.machine_tokens_per_day/],
    ['spend:\n', /spend has no value/],
    ['containment: tight\n', /containment/],
    ['credentials: {lower: x}\n', /credentials.lower/],
    ['credentials: {A: 1}\n', /credentials.A/],
    ['registry: {sources: [{name: a, type: ftp}]}\n', /registry.sources\[0\].type/],
    [
      'registry: {sources: [{name: a, type: github}, {name: a, type: github}]}\n',
      /registry.sources\[1\].name/,
    ],
    ['inference: {provider: other}\n', /inference.provider/],
    ['host_paths: [{path: x, access: read}]\n', /host_paths\[0\].path/],
    ['host_paths: [{path: /, access: read}]\n', /host_paths\[0\].path/],
    ['host_paths: [{path: //, access: read}]\n', /host_paths\[0\].path/],
    ['host_paths: [{path: /x, access: all}]\n', /host_paths\[0\].access/],
    ['host_paths: [{path: /x, access: read}, {path: /x, access: read-write}]\n', /host_paths\[1\].path/],
  ])('is refused: %j', (text, reason) => {
    const condition = refusalOf(() => global(text));
    expect(condition).toMatchObject({
      code: 'E-IO-003',
      path: 'config.yaml',
      reason: expect.stringMatching(reason),
    });
  });

  it('never shows a credential', () => {
    expect(
      JSON.stringify(refusalOf(() => global('credentials: {bad-name: hunter2hunter2}\n'))),
    ).not.toContain('hunter2');
  });

  it('of a project holds no keys and no directories, and says so', () => {
    const text =
      'credentials: {A: x}\nhost_paths: [{path: /, access: all}]\ninference: {api_key: sk-1, model: m}\n';
    const { config, ignored } = project(text);
    expect(config.credentials).toEqual({});
    expect(config.hostPaths).toEqual([]);
    expect(config.inference).toEqual({ model: 'm' });
    expect(ignored.map((entry) => entry.key)).toEqual(['credentials', 'host_paths', 'inference.api_key']);
    expect(ignored[2]?.reason).toMatch(/holds the key itself/);
    expect(project('inference: {api_key: "${A}"}\n').ignored[0]?.reason).not.toMatch(/itself/);
  });
});

describe('two configuration files', () => {
  const merged = (one: string | null, other: string | null) =>
    mergeConfig(one === null ? null : global(one).config, other === null ? null : project(other).config);

  it('fall back to what is built in only while there is no global one', () => {
    expect(merged(null, null)).toBe(builtInConfig);
    expect(merged('', null).registry.sources).toEqual([]);
    expect(merged(null, 'registry: {default: x}\n').registry).toMatchObject({
      default: 'x',
      sources: [{ name: 'official' }],
    });
  });

  it('let a project choose and add', () => {
    const config = merged(
      'registry: {default: a, sources: [{name: a, type: github, repo: a/a}, {name: b, type: github}]}\nbeta: {enabled: [x, y]}\ninference: {model: m, provider: openai}\n',
      'registry: {sources: [{name: c, type: github}, {name: a, type: github, repo: z/z}]}\nbeta: {enabled: [z, x]}\ninference: {model: n}\n',
    );
    expect(config.registry.default).toBe('a');
    expect(config.registry.sources.map(({ name, repo }) => [name, repo])).toEqual([
      ['a', 'z/z'],
      ['b', undefined],
      ['c', undefined],
    ]);
    expect(config.beta.enabled).toEqual(['x', 'y', 'z']);
    expect(config.inference).toMatchObject({ model: 'n', provider: 'openai' });
  });

  it('let a project only lower the ceiling and only raise the floor', () => {
    const ceiling = (one: string, other: string) => merged(one, other).spend.machineTokensPerDay;
    const of = (tokens: number) => `spend: {machine_tokens_per_day: ${tokens}}\n`;
    expect(ceiling(of(10), of(5))).toBe(5);
    expect(ceiling(of(10), of(50))).toBe(10);
    expect(ceiling('', of(50))).toBe(50);
    expect(ceiling(of(10), '')).toBe(10);
    expect(merged('containment: scoped\n', 'containment: advisory\n').containment).toBe('scoped');
    expect(merged('containment: scoped\n', 'containment: sealed\n').containment).toBe('sealed');
  });

  it('take keys and directories from the global one alone', () => {
    const config = merged(
      'credentials: {A: a}\ninference: {api_key: k}\nhost_paths: [{path: /x, access: read}]\n',
      'credentials: {B: b}\ninference: {api_key: l}\nhost_paths: [{path: /y, access: read}]\n',
    );
    expect(config.credentials).toEqual({ A: 'a' });
    expect(config.inference.apiKey).toBe('k');
    expect(config.hostPaths).toEqual([{ path: '/x', access: 'read' }]);
  });

  it('have the strongest floor of all', () => {
    expect(strongestFloor([undefined, 'scoped', 'advisory'])).toBe('scoped');
    expect(strongestFloor(['advisory', 'sealed', 'scoped'])).toBe('sealed');
    expect(strongestFloor([undefined])).toBeUndefined();
  });
});
