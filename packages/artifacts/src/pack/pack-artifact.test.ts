import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { artifactDirectory, writeTree } from '../../test/project.js';
import { conditionOf, filesBelow, scratch } from '../../test/scratch.js';
import { readArchive } from '../archive/read-archive.js';
import { packArtifact } from './pack-artifact.js';

const env = {};
const manifest = (lines: string) => `name: thing\nversion: "1.0.0"\nruntime: driver\n${lines}`;

async function packed(directory: string, limit = 1_000_000) {
  const result = await packArtifact({ directory, env });
  const files = await readArchive(fs.readFileSync(result.file), {
    name: 'thing',
    version: '1.0.0',
    maxDecompressedBytes: limit,
  });
  return { ...result, names: [...files.keys()], files };
}

test('the manifest comes first, then the declared files in their order, and nothing else', async () => {
  const directory = writeTree(scratch(), {
    'murmur.yaml': manifest('requires_files: [z.txt, ./sub/b.txt, "sub\\\\a.txt", capsule.wasm]\n'),
    'capsule.wasm': 'component',
    'z.txt': 'z',
    'sub/b.txt': 'b',
    'sub/a.txt': 'a',
    'not-declared': 'x',
  });
  const { file, names, files, warnings, sha256 } = await packed(directory);
  expect(file).toBe(path.join(directory, 'thing-1.0.0.mur.zip'));
  expect(names).toEqual(['murmur.yaml', 'z.txt', 'sub/b.txt', 'sub/a.txt', 'capsule.wasm']);
  expect(files.get('sub/a.txt')?.toString()).toBe('a');
  expect(warnings).toEqual([]);
  expect(sha256).toMatch(/^[0-9a-f]{64}$/);
});

test('the same files give the same bytes, wherever and whenever they lie', async () => {
  const one = artifactDirectory(scratch());
  const two = artifactDirectory(scratch());
  fs.utimesSync(path.join(two, 'thing.wasm'), 1, 1);
  fs.chmodSync(path.join(two, 'thing.wasm'), 0o777);
  expect((await packed(one)).sha256).toBe((await packed(two)).sha256);
});

test('an output may be a file in a new directory or an existing directory, and is never packed itself', async () => {
  const directory = artifactDirectory(scratch());
  const out = scratch();
  const named = path.join(out, 'new/dir/my.mur.zip');
  expect((await packArtifact({ directory, env, output: named })).file).toBe(named);
  expect((await packArtifact({ directory, env, output: out })).file).toBe(
    path.join(out, 'thing-1.0.0.mur.zip'),
  );
  writeTree(directory, {
    'murmur.yaml': manifest('requires_files: [thing.wasm, thing-1.0.0.mur.zip]\n'),
    'thing-1.0.0.mur.zip': 'from before',
  });
  expect((await packed(directory)).names).toEqual(['murmur.yaml', 'thing.wasm']);
});

test.each<[string, string, Record<string, unknown>]>([
  ['an empty name', 'name: ""\nversion: "1"\nruntime: tool\n', { code: 'E-MAN-001', key: 'name' }],
  ['a capital letter', 'name: Thing\nversion: "1"\nruntime: tool\n', { code: 'E-BLD-001', name: 'Thing' }],
  ['a scope', 'name: a/b\nversion: "1"\nruntime: tool\n', { code: 'E-BLD-001' }],
  ['a hyphen at the end', 'name: a-\nversion: "1"\nruntime: tool\n', { code: 'E-BLD-001' }],
  ['a long name', `name: ${'a'.repeat(101)}\nversion: "1"\nruntime: tool\n`, { code: 'E-BLD-001' }],
  ['no version', 'name: a\nruntime: tool\n', { code: 'E-MAN-001', key: 'version' }],
  [
    'a version that is no file name',
    'name: a\nversion: "1:2"\nruntime: tool\n',
    { code: 'E-MAN-003', key: 'version' },
  ],
  ['no role', 'name: a\nversion: "1"\n', { code: 'E-MAN-001', key: 'runtime' }],
  ['no YAML', 'name: [a\n', { code: 'E-MAN-002' }],
  ['a list', '- a\n', { code: 'E-MAN-003' }],
  ['a bad list of files', 'name: a\nversion: "1"\nruntime: tool\nrequires_files: x\n', { code: 'E-MAN-003' }],
  [
    'an absolute path',
    manifest('requires_files: [/etc/passwd]\n'),
    { code: 'E-BLD-002', entry: '/etc/passwd' },
  ],
  ['a drive', manifest('requires_files: ["C:x"]\n'), { code: 'E-BLD-002' }],
  ['a path that climbs out', manifest('requires_files: [a/../../x]\n'), { code: 'E-BLD-002' }],
  ['a path that climbs out by backslashes', manifest('requires_files: ["..\\\\x"]\n'), { code: 'E-BLD-002' }],
  ['an empty path', manifest('requires_files: [""]\n'), { code: 'E-BLD-002' }],
  ['an invisible character', manifest('requires_files: ["a\\u202eb"]\n'), { code: 'E-BLD-002' }],
  ['a link', manifest('requires_files: [link]\n'), { code: 'E-BLD-002', problem: 'it is a symbolic link' }],
  [
    'a file behind a link',
    manifest('requires_files: [dirlink/file]\n'),
    { code: 'E-BLD-002', problem: 'it is a symbolic link' },
  ],
  ['a directory', manifest('requires_files: [dir]\n'), { code: 'E-BLD-002' }],
  [
    'two names that are one',
    manifest('requires_files: [one.wasm, dir/a, dir/A]\n'),
    { code: 'E-BLD-002', entry: 'dir/A' },
  ],
  ['a missing file', manifest('requires_files: [one.wasm, no, nor-this]\n'), { code: 'E-IO-003' }],
  ['no component', manifest('requires_files: [dir/a]\n'), { code: 'E-BLD-003' }],
  ['a component below the root only', manifest('requires_files: [dir/in.wasm]\n'), { code: 'E-BLD-003' }],
  ['two components', manifest('requires_files: [one.wasm, two.wasm]\n'), { code: 'E-BLD-003' }],
  [
    'the retired block',
    manifest('requires_files: [one.wasm]\ninference_auth: {}\nupstream_auth: {}\n'),
    { code: 'E-BLD-004' },
  ],
])('%s is refused before anything is written', async (_what, text, expected) => {
  const directory = writeTree(scratch(), {
    'murmur.yaml': text,
    'one.wasm': '',
    'two.wasm': '',
    'dir/a': '',
    'dir/A': '',
    'dir/in.wasm': '',
    'dir/file': '',
  });
  fs.symlinkSync('/etc/hostname', path.join(directory, 'link'));
  fs.symlinkSync('dir', path.join(directory, 'dirlink'));
  const before = filesBelow(directory);
  expect(await conditionOf(() => packArtifact({ directory, env }))).toMatchObject(expected);
  expect(filesBelow(directory)).toEqual(before);
});

test('the first failure in the prescribed order is the one reported', async () => {
  const directory = scratch();
  const code = async (text: string, output?: string) => {
    writeTree(directory, { 'murmur.yaml': text, 'one.wasm': '', 'two.wasm': '' });
    const condition = await conditionOf(() =>
      packArtifact({ directory, env, ...(output === undefined ? {} : { output }) }),
    );
    return condition.code;
  };
  const rest = 'version: "1"\nruntime: tool\ninference_auth: {}\n';
  expect(await code(`name: A\n${rest}requires_files: [../x]\n`, 'out.zip')).toBe('E-BLD-001');
  expect(await code(`name: a\n${rest}requires_files: [../x]\n`, 'out.zip')).toBe('E-BLD-002');
  expect(await code(`name: a\n${rest}requires_files: [one.wasm, two.wasm]\n`, 'out.zip')).toBe('E-IO-003');
  expect(await code(`name: a\n${rest}requires_files: [one.wasm, two.wasm]\n`)).toBe('E-BLD-003');
  expect(await code(`name: a\n${rest}requires_files: [one.wasm]\n`)).toBe('E-BLD-004');
});

test('a missing manifest is not found, and a directory in its place cannot be read', async () => {
  const directory = scratch();
  expect(await conditionOf(() => packArtifact({ directory, env }))).toMatchObject({ code: 'E-IO-001' });
  expect(await conditionOf(() => packArtifact({ directory: path.join(directory, 'no'), env }))).toMatchObject(
    {
      code: 'E-IO-001',
    },
  );
});

test('what would unpack to more than readers allow is not packed', async () => {
  const directory = artifactDirectory(scratch(), { content: 'x'.repeat(1000) });
  const small = { MURMUR_MAX_ARTIFACT_DECOMPRESSED_BYTES: '500' };
  expect(await conditionOf(() => packArtifact({ directory, env: small }))).toMatchObject({
    code: 'E-IO-003',
  });
  expect(filesBelow(directory)).toHaveLength(2);
});

test('doubtful contents are packed with a warning each', async () => {
  const directory = writeTree(scratch(), {
    'murmur.yaml': manifest(
      'requires_files: [capsule.wasm, murmur.yaml, ./capsule.wasm, other.wasm, src/lib.rs, target/x, Cargo.toml]\n' +
        'config: { api_key: sk-1, list: [{ my_token: "123456789" }], note: long enough to flag }\n' +
        `max_tokens: 1000000000\npassword: "$\{PASSWORD}"\nsecret: short\n`,
    ),
    'capsule.wasm': '',
    'other.wasm': '',
    'src/lib.rs': '',
    'target/x': '',
    'Cargo.toml': '',
  });
  const { warnings, names } = await packed(directory);
  expect(names).toHaveLength(6);
  expect(warnings).toEqual([
    { code: 'W-BLD-001', entry: 'murmur.yaml' },
    { code: 'W-BLD-001', entry: './capsule.wasm' },
    { code: 'W-BLD-002', files: ['other.wasm'] },
    { code: 'W-BLD-003', files: ['src/lib.rs', 'target/x', 'Cargo.toml'] },
    { code: 'W-SEC-004', file: path.join(directory, 'murmur.yaml'), field: 'config.api_key' },
    { code: 'W-SEC-004', file: path.join(directory, 'murmur.yaml'), field: 'config.list.0.my_token' },
  ]);
  expect(JSON.stringify(warnings)).not.toContain('123456789');
});

test('a skill is packed as text and is not judged as a program', async () => {
  const directory = artifactDirectory(scratch(), { role: 'skill', content: '# How to' });
  expect((await packed(directory)).names).toEqual(['murmur.yaml', 'skill.md']);
});
