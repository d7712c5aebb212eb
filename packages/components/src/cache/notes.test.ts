import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type CompiledCache, openCompiledCache } from './compiled-cache.js';

let directory: string;
let cache: CompiledCache;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'notes-'));
  cache = openCompiledCache(directory);
  return () => rmSync(directory, { recursive: true });
});

const key = 'a'.repeat(64);
const file = (name: string) => path.join(directory, 'notes', name);

test('a note is read as it was written, by any process that uses the cache', async () => {
  expect(await cache.readNote(key, 'description')).toBeNull();
  await cache.writeNote(key, 'description', 'first\nline');
  await cache.writeNote(key, 'description', 'second\n\u{1f426}');
  expect(await openCompiledCache(directory).readNote(key, 'description')).toBe('second\n\u{1f426}');
});

test('a note that was edited, planted or moved is not taken', async () => {
  await cache.writeNote(key, 'description', 'trusted');
  const [name = ''] = readdirSync(path.join(directory, 'notes'));
  const written = readFileSync(file(name), 'utf8');
  for (const text of [
    written.replace('trusted', 'changed'),
    'trusted',
    '',
    '\n',
    written.slice(0, -1),
    `00${written}`,
  ]) {
    writeFileSync(file(name), text);
    expect(await cache.readNote(key, 'description'), JSON.stringify(text)).toBeNull();
  }
  writeFileSync(file(name), written);
  expect(await cache.readNote(key, 'description')).toBe('trusted');
  renameSync(file(name), file(name.replace(/^a/, 'b')));
  expect(await cache.readNote(`b${key.slice(1)}`, 'description')).toBeNull();
});

test('a note too large to be read again is not kept', async () => {
  await cache.writeNote(key, 'description', 'x'.repeat(300_000));
  expect(await cache.readNote(key, 'description')).toBeNull();
});
