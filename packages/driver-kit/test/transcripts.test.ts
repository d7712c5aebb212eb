import { mkdtemp, readdir, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { linesOf } from '../src/testkit/transcript/case.js';
import { readCase, readCases } from '../src/testkit/transcript/read-case.js';
import { writeCase } from '../src/testkit/transcript/write-case.js';
import { toyCases } from './fixtures/toy/toy-cases.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'murmur-cases-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const [first] = toyCases;
if (first === undefined) throw new Error('there are no cases');

test('what is written is read back, bytes and all', async () => {
  const full = {
    ...first,
    stdout: new Uint8Array([0x7b, 0xff, 0xfe, 0x0d, 0x0a, 0x61]),
    stderr: 'Grüße\n',
    plan: {
      args: ['a'],
      envSet: [['A', 'b'] as const],
      files: [{ name: 'f', contents: 'c\n' }],
      stdin: new Uint8Array([1, 0xff]),
      keepStdinOpen: true,
      interruptStdin: new Uint8Array(Buffer.from('stop\n')),
    },
    events: [{ tag: 'text' as const, val: 'x' }],
    meta: { ...first.meta, lossless: false, exitAnswers: true, toolInputs: ['secret'], terminalLines: null },
  };
  await writeCase(join(directory, full.name), full);
  expect(await readCase(join(directory, full.name))).toEqual(full);
  for (const each of toyCases) await writeCase(join(directory, each.name), each);
  const read = await readCases(directory);
  expect(read.map(({ name }) => name)).toEqual(toyCases.map(({ name }) => name).sort());
});

test('lines are those that the runtime hands over', () => {
  const lines = linesOf({ stdout: new Uint8Array(Buffer.from('a\r\n\r\r\n\n\xff\nrest', 'latin1')) });
  expect(lines).toEqual(['a', '\r', '', '\ufffd']);
});

test.each([
  ['meta.json', '{', 'meta.json is not JSON'],
  ['meta.json', '[]', 'meta.json must be an object'],
  [
    'meta.json',
    (text: string) => text.replace('"turn"', '"tune"'),
    'command must be one of turn, login, version',
  ],
  ['meta.json', (text: string) => text.replace('"harness"', '"harnes"'), 'unknown members harnes'],
  ['meta.json', (text: string) => text.replace('"line": 11', '"line": 0'), 'terminal_lines count from 1'],
  ['exit.json', '{"code":"0","signal":null}', 'code must be a whole number or null, found "0"'],
  ['request.json', (text: string) => text.replace('"task"', '"tusk"'), 'unknown members tusk'],
  ['events.json', '[{"val":1}]', 'must be a list of events'],
  ['plan.json', '{"args":[1]}', 'args must be a list of texts'],
])('%s that cannot be used is refused by file and member (%#)', async (file, contents, reason) => {
  const path = join(directory, first.name);
  await writeCase(path, first);
  const text = typeof contents === 'string' ? contents : contents(await readFile(join(path, file), 'utf8'));
  await writeFile(join(path, file), text);
  await expect(readCases(directory)).rejects.toThrow(reason);
  await expect(readCases(directory)).rejects.toThrow(join(path, file));
});

test('half a recording, and no recording at all, are refused', async () => {
  await expect(readCases(directory)).rejects.toThrow('holds no recordings');
  await expect(readCases(join(directory, 'nowhere'))).rejects.toThrow('ENOENT');
  const path = join(directory, first.name);
  await writeCase(path, first);
  for (const file of (await readdir(path)).filter((name) => !['events.json', 'plan.json'].includes(name))) {
    const kept = await readFile(join(path, file));
    await unlink(join(path, file));
    await expect(readCases(directory), file).rejects.toThrow(join(path, file));
    await writeFile(join(path, file), kept);
  }
});
