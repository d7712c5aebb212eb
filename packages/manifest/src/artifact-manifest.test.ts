import { describe, expect, it } from 'vitest';
import { refusalOf } from '../test/refusal.js';
import { parseArtifactManifest } from './artifact-manifest.js';
import { parseUpstreamAuth } from './upstream-auth.js';

const FILE = { file: 'murmur.yaml' };
const read = (text: string | Uint8Array) => parseArtifactManifest(text, FILE).manifest;
const IDENTITY = 'name: t\nversion: 1.10\nruntime: ';

describe('an artifact manifest', () => {
  it('needs little', () => {
    expect(read(`${IDENTITY}driver\n`)).toMatchObject({
      name: 't',
      version: '1.10',
      runtime: 'driver',
      role: 'driver',
      implementation: 'wasm',
      packaging: 'wasm',
      requiresFiles: [],
      tags: [],
      hasRetiredAuth: false,
    });
  });

  it.each([
    ['tool', '', 'wasm'],
    ['tool', 'implementation: native', 'native'],
    ['tool', 'implementation: other', 'wasm'],
    ['hook', 'implementation: native', 'wasm'],
    ['skill', '', 'static'],
    ['skill', 'execution: wasm', 'wasm'],
    ['tool', 'execution: STATIC', 'static'],
    ['tool', 'implementation: native\nexecution: wasm', 'wasm'],
    ['something-new', '', 'wasm'],
  ])('of role %s with {%s} is packed as %s', (role, rest, packaging) => {
    expect(read(`${IDENTITY}${role}\n${rest}\n`).packaging).toBe(packaging);
  });

  it('lists files, and an explicit list always wins', () => {
    expect(read(`${IDENTITY}skill\n`).requiresFiles).toEqual(['skill.md']);
    expect(read(`${IDENTITY}skill\nrequires_files: []\n`).requiresFiles).toEqual([]);
    expect(read(`${IDENTITY}tool\nrequires_files: [a, b/c]\n`).requiresFiles).toEqual(['a', 'b/c']);
  });

  it('keeps a role that it does not know as text', () => {
    expect(read(`${IDENTITY}gadget\n`)).toMatchObject({ runtime: 'gadget', role: null });
  });

  it('hands blocks of others on as they are written', () => {
    const text = `${IDENTITY}hook\ninput: {a_b: 1}\nupstream_auth: {header: X-Key, value: "{key}"}\nbinding: on-shell\nexecution_mode: async\ncommit_policy: none\nprograms: {p: {}}\ninference_auth: {}\noutput_schema: "{}"\n`;
    expect(read(text)).toMatchObject({
      inputSchema: { a_b: 1 },
      outputSchema: '{}',
      upstreamAuth: { header: 'X-Key', value: '{key}' },
      hook: { binding: 'on-shell', executionMode: 'async', commitPolicy: 'none' },
      programs: { p: {} },
      hasRetiredAuth: true,
    });
  });

  it('says nothing about keys of a capsule', () => {
    expect(() => read(`${IDENTITY}tool\ncapabilities: 7\nwhatever: 1\n`)).not.toThrow();
  });

  it.each([
    ['version: 1\nruntime: tool\n', 'name'],
    ['name: t\nruntime: tool\n', 'version'],
    ['name: t\nversion: 1\n', 'runtime'],
    ['name: t\nversion: 1\nruntime: " "\n', 'runtime'],
  ])('without an identity is refused: %j', (text, key) => {
    expect(refusalOf(() => read(text))).toMatchObject({ code: 'E-MAN-001', key });
  });

  it.each([
    ['[]\n', 'the file'],
    ['', 'the file'],
    ['name: 1\nversion: 1\nruntime: tool\n', 'name'],
    ['name: t\nversion: [1]\nruntime: tool\n', 'version'],
    ['name: t\nversion: ../1\nruntime: tool\n', 'version'],
    ['name: t\nversion: 1\nruntime: {}\n', 'runtime'],
    [`${IDENTITY}tool\nexecution: jvm\n`, 'execution'],
    [`${IDENTITY}tool\nexecution: 1\n`, 'execution'],
    [`${IDENTITY}tool\nrequires_files: a\n`, 'requires_files'],
    [`${IDENTITY}tool\nrequires_files: [1]\n`, 'requires_files'],
  ])('with a wrong value is refused: %j', (text, key) => {
    expect(refusalOf(() => read(text))).toMatchObject({ code: 'E-MAN-003', key });
  });

  it('that is no YAML is refused with its place', () => {
    expect(refusalOf(() => read('a: [\n'))).toMatchObject({ code: 'E-MAN-002', line: 2, column: 1 });
    expect(refusalOf(() => read(Buffer.from([0xff])))).toMatchObject({
      code: 'E-MAN-002',
      line: 1,
      column: 1,
    });
  });
});

describe('upstream_auth', () => {
  it('is read when it is usable', () => {
    const auth = { header: 'Authorization', value: 'Bearer {key}' };
    expect(parseUpstreamAuth(auth)).toEqual({ auth });
  });
  it('is absent without a reason', () => {
    expect(parseUpstreamAuth(undefined)).toEqual({ problem: null });
  });
  it.each([
    [null],
    ['text'],
    [[]],
    [{}],
    [{ header: 'X', value: 'no key' }],
    [{ header: 'X', value: '{key}{key}' }],
    [{ header: 'X', value: 1 }],
    [{ header: 'X Y', value: '{key}' }],
    [{ header: 'X\r\nY', value: '{key}' }],
    [{ header: 'X', value: '{key}\r\nEvil: 1' }],
    [{ header: '', value: '{key}' }],
    [{ header: 'Host', value: '{key}' }],
    [{ header: 'cookie', value: '{key}' }],
    [{ header: 'TRANSFER-ENCODING', value: '{key}' }],
  ])('is malformed with a reason: %j', (block) => {
    expect(parseUpstreamAuth(block)).toMatchObject({ problem: expect.any(String) });
  });
});
