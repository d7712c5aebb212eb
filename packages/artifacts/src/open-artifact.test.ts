import { expect, test } from 'vitest';
import { conditionOf } from '../test/scratch.js';
import { buildZip } from '../test/zip-builder.js';
import { openArtifact } from './open-artifact.js';

const options = { name: 'thing', version: '1.0.0', maxDecompressedBytes: 10_000 };
const text = (role = 'driver', rest = '') => `name: thing\nversion: "1.0.0"\nruntime: ${role}\n${rest}`;
const archive = (files: Record<string, string | Buffer>) =>
  buildZip(Object.entries(files).map(([name, content]) => ({ name, content })));

test.each<[string, Record<string, string>, string, string]>([
  ['the only component', { 'murmur.yaml': text(), 'x.wasm': 'x', 'sub/y.wasm': 'y' }, 'wasm', 'x.wasm'],
  [
    'capsule.wasm before others',
    { 'murmur.yaml': text(), 'a.wasm': 'a', 'capsule.wasm': 'c' },
    'wasm',
    'capsule.wasm',
  ],
  [
    'a program',
    { 'murmur.yaml': text('tool', 'implementation: native\n'), 'bin/thing': 'p' },
    'native',
    'bin/thing',
  ],
  ['a skill', { 'murmur.yaml': text('skill'), 'skill.md': '#' }, 'static', 'skill.md'],
  ['an unknown role', { 'murmur.yaml': text('agent'), 'capsule.wasm': 'c' }, 'wasm', 'capsule.wasm'],
])('the payload is %s', async (_what, files, payloadKind, payloadEntry) => {
  const opened = await openArtifact(archive(files), options);
  expect(opened).toMatchObject({ payloadKind, payloadEntry });
  expect(opened.payload.toString()).toBe(files[payloadEntry]);
  expect(opened.manifestText).toBe(files['murmur.yaml']);
  expect((await openArtifact(archive(files), { ...options, name: 'scope/thing' })).payloadEntry).toBe(
    payloadEntry,
  );
});

test.each<[string, Record<string, string | Buffer>, string]>([
  ['no manifest', { 'capsule.wasm': '' }, 'murmur.yaml'],
  ['a manifest of the former name', { 'manifest.yaml': text(), 'capsule.wasm': '' }, 'murmur.yaml'],
  ['a manifest that is no text', { 'murmur.yaml': Buffer.from([0xff]), 'capsule.wasm': '' }, 'not UTF-8'],
  ['a manifest that is no YAML', { 'murmur.yaml': '[', 'capsule.wasm': '' }, 'manifest cannot be used'],
  [
    'a manifest without a version',
    { 'murmur.yaml': 'name: thing\nruntime: tool\n' },
    'manifest cannot be used',
  ],
  ['no component', { 'murmur.yaml': text() }, 'no *.wasm'],
  ['components below the root only', { 'murmur.yaml': text(), 'a/capsule.wasm': '' }, 'no *.wasm'],
  ['several components', { 'murmur.yaml': text(), 'b.wasm': '', 'a.wasm': '' }, 'a.wasm, b.wasm'],
  ['no program', { 'murmur.yaml': text('tool', 'execution: native\n'), 'bin/other': '' }, "'bin/thing'"],
  ['no text', { 'murmur.yaml': text('skill'), 'SKILL.md': '' }, "'skill.md'"],
  [
    'a driver without a component',
    { 'murmur.yaml': text('driver', 'execution: native\n'), 'bin/thing': '' },
    'not wasm',
  ],
  [
    'a skill with a component',
    { 'murmur.yaml': text('skill', 'execution: wasm\n'), 'x.wasm': '' },
    'not static',
  ],
  ['another name', { 'murmur.yaml': text().replace('thing', 'other'), 'x.wasm': '' }, 'other@1.0.0'],
  ['another version', { 'murmur.yaml': text().replace('1.0.0', '1.0.1'), 'x.wasm': '' }, 'thing@1.0.1'],
])('an archive with %s is refused', async (_what, files, reason) => {
  const condition = await conditionOf(() => openArtifact(archive(files), options));
  expect(condition).toMatchObject({
    variant: 'ArtifactArchive',
    code: 'E-IO-003',
    name: 'thing',
    version: '1.0.0',
  });
  expect(condition.message).toContain(reason);
});
