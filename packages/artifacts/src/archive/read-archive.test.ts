import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import zlib from 'node:zlib';
import { MurmurError } from '@murmur/errors';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BuiltArchive, type BuiltEntry, buildZip } from '../../test/zip-builder.js';
import { maxArchiveEntries, readArchive } from './read-archive.js';
import { writeArchive } from './write-archive.js';

const options = { name: 'thing', version: '1.0.0', maxDecompressedBytes: 1_000_000 };
const read = (bytes: Buffer, maxDecompressedBytes = options.maxDecompressedBytes) =>
  readArchive(bytes, { ...options, maxDecompressedBytes });

async function refusal(bytes: Buffer, maxDecompressedBytes?: number): Promise<string> {
  try {
    await read(bytes, maxDecompressedBytes);
  } catch (error) {
    if (!(error instanceof MurmurError)) throw error;
    expect(error.condition).toMatchObject({ variant: 'ArtifactArchive', name: 'thing', version: '1.0.0' });
    return String(Reflect.get(error.condition, 'message'));
  }
  throw new Error('the archive was read');
}

const plain: BuiltEntry = { name: 'a.txt', content: 'hello' };

test('plain archives of several makes are read', async () => {
  const makes: [string, BuiltArchive][] = [
    ['deflated', { entries: [plain] }],
    ['stored', { entries: [{ ...plain, method: 0 }] }],
    [
      'with sizes behind the data',
      {
        entries: [
          { ...plain, descriptor: true },
          { name: 'b', descriptor: true },
        ],
      },
    ],
    ['with 64-bit records', { entries: [plain], zip64: true }],
    ['with a comment', { entries: [plain], comment: Buffer.from('made by hand') }],
    ['with a directory', { entries: [{ name: 'd/', method: 0, mode: 0o040755 }, plain] }],
    ['without modes', { entries: [{ ...plain, externalAttributes: 0 }] }],
    ['without the UTF-8 flag but in ASCII', { entries: [{ ...plain, flags: 0 }] }],
    ['marked executable', { entries: [{ ...plain, mode: 0o100755 }] }],
  ];
  for (const [what, archive] of makes) {
    expect((await read(buildZip(archive))).get('a.txt')?.toString(), what).toBe('hello');
  }
  expect((await read(buildZip([{ name: 'é/ü', content: 'x' }]))).get('é/ü')?.toString()).toBe('x');
  expect((await read(buildZip([]))).size).toBe(0);
});

test('a descriptor works as well and stays open', async () => {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'artifacts-')), 'a.zip');
  fs.writeFileSync(file, buildZip([plain]));
  const fd = fs.openSync(file, 'r');
  try {
    expect((await readArchive(fd, options)).get('a.txt')?.toString()).toBe('hello');
    expect(fs.fstatSync(fd).isFile()).toBe(true);
  } finally {
    fs.closeSync(fd);
    fs.rmSync(path.dirname(file), { recursive: true });
  }
});

test.each<[string, string | Buffer]>([
  ['../up', 'a/../../x'],
  ['..', '..'],
  ['an absolute path', '/etc/passwd'],
  ['a backslash', '..\\x'],
  ['a drive', 'C:/x'],
  ['a stream', 'file:stream'],
  ['an empty segment', 'a//b'],
  ['a dot segment', 'a/./b'],
  ['a trailing dot', 'a./b'],
  ['a trailing space', 'a /b'],
  ['NUL', 'a\0b'],
  ['a control character', 'a\nb'],
  ['an escape', 'a\u001b[2Jb'],
  ['a text direction mark', 'a\u202eb'],
  ['decomposed letters', 'e\u0301'],
  ['bytes that are not UTF-8', Buffer.from([0x61, 0xff])],
  ['no name', ''],
  ['a long name', 'x'.repeat(1025)],
  ['a long segment', 'x'.repeat(256)],
])('a name with %s is refused', async (_what, name) => {
  expect(await refusal(buildZip([plain, { ...plain, name }]))).toMatch(/entry/);
});

test('a name outside ASCII that does not say its encoding is refused', async () => {
  expect(await refusal(buildZip([{ ...plain, name: 'é', flags: 0 }]))).toContain('no known encoding');
});

test.each<[string, string[]]>([
  ['twice the same', ['a', 'a']],
  ['another case', ['readme', 'README']],
  ['another case outside ASCII', ['straße', 'STRASSE']],
  ['a file that is also a directory', ['a', 'a/b']],
  ['a file that is also a directory in another case', ['A', 'a/b']],
])('names that meet are refused: %s', async (_what, names) => {
  expect(await refusal(buildZip(names.map((name) => ({ ...plain, name }))))).toContain('the entr');
});

test.each<[string, Partial<BuiltEntry>, string]>([
  ['a symbolic link', { mode: 0o120777, content: '/etc/passwd' }, 'link or a special file'],
  ['a FIFO', { mode: 0o010644 }, 'link or a special file'],
  ['a device', { mode: 0o020644 }, 'link or a special file'],
  ['a socket', { mode: 0o140644 }, 'link or a special file'],
  ['a directory named as a file', { mode: 0o040755 }, 'contradicts'],
  ['a DOS directory named as a file', { externalAttributes: 0x10 }, 'contradicts'],
  ['a file named as a directory', { name: 'd/' }, 'contradicts'],
  ['a directory with content', { name: 'd/', mode: 0o040755 }, 'directory with content'],
  ['encryption', { flags: 0x0801 }, 'encrypted'],
  ['strong encryption', { flags: 0x0841 }, 'encryption'],
  ['a masked directory', { flags: 0x2800 }, 'encrypted'],
  ['another compression', { method: 12 }, 'method 12'],
  ['a second name', { extra: Buffer.from([0x75, 0x70, 5, 0, 1, 0, 0, 0, 0]) }, 'second name'],
  ['a wrong checksum', { crc: 1 }, 'checksum'],
  ['a size too small', { declaredSize: 2 }, 'not a readable zip'],
  ['a size too large', { declaredSize: 9 }, 'not a readable zip'],
  ['broken data', { rawData: Buffer.from([0xff, 0xff, 0xff]) }, 'not a readable zip'],
  ['another local name', { local: { name: 'b.txt' } }, 'disagree about its name'],
  ['a local size', { local: { size: 7 } }, 'disagree about its size'],
  ['a local checksum', { local: { crc: 7 } }, 'disagree about its checksum'],
  ['a local compression', { local: { method: 0 } }, 'disagree about its compression'],
  ['local flags', { local: { flags: 0x0801 } }, 'disagree about its flags'],
])('an entry with %s is refused', async (_what, change, reason) => {
  expect(await refusal(buildZip([{ ...plain, ...change }]))).toContain(reason);
});

test.each<[string, BuiltArchive, string]>([
  ['bytes before the first entry', { entries: [{ ...plain, before: Buffer.from('MZ') }] }, 'stray bytes'],
  ['bytes between entries', { entries: [plain, { name: 'b', before: Buffer.from('x') }] }, 'stray bytes'],
  ['bytes before the directory', { entries: [plain], beforeDirectory: Buffer.from('x') }, 'stray bytes'],
  ['bytes behind the directory', { entries: [plain], afterDirectory: Buffer.from('x') }, 'does not end'],
  ['bytes at the end', { entries: [plain], after: Buffer.from('x') }, 'not a readable zip'],
  [
    'two entries over the same bytes',
    { entries: [plain, { ...plain, name: 'a.txt', offset: 0 }] },
    'one name',
  ],
  [
    'fewer entries counted than there are',
    { entries: [plain, { name: 'b' }], entryCount: 1 },
    'does not end',
  ],
  ['more entries counted than there are', { entries: [plain], entryCount: 2 }, 'not a readable zip'],
])('an archive with %s is refused', async (_what, archive, reason) => {
  expect(await refusal(buildZip(archive))).toContain(reason);
});

test('entries that overlap are refused', async () => {
  // One stored entry whose data is a whole second entry, which the directory lists as well.
  const inner = buildZip([{ name: 'inner', content: 'x', method: 0 }]);
  const localInner = inner.subarray(0, 30 + 'inner'.length + 1);
  const outerHeader = 30 + 'outer'.length;
  const bytes = buildZip([
    { name: 'outer', content: localInner, method: 0 },
    { name: 'inner', content: 'x', method: 0, offset: outerHeader },
  ]);
  expect(await refusal(bytes)).toContain('overlaps');
});

test('a bomb stops at the ceiling, whether it declares its size or not', async () => {
  const content = Buffer.alloc(50_000_000);
  expect(await refusal(buildZip([{ name: 'bomb', content }]))).toContain('more bytes than are allowed');
  expect(await refusal(buildZip([{ name: 'bomb', content, declaredSize: 10 }]))).toMatch(
    /not a readable zip|more bytes/,
  );
});

test('a large entry is read whole, or refused when its declared size is wrong', async () => {
  const content = Buffer.alloc(5_000_000, 'large ');
  for (const method of [0, 8]) {
    const files = await read(buildZip([{ name: 'large', content, method }]), 6_000_000);
    expect(files.get('large')?.equals(content)).toBe(true);
  }
  for (const declaredSize of [4_999_999, 5_000_001])
    expect(await refusal(buildZip([{ name: 'large', content, declaredSize }]), 6_000_000)).toContain(
      'not a readable zip',
    );
  expect(await refusal(buildZip([{ name: 'large', content, declaredSize: 4_500_000 }]), 4_600_000)).toContain(
    'more bytes than are allowed',
  );
});

test('the ceiling holds for the sum: exactly the limit passes, one byte more does not', async () => {
  const two = buildZip([
    { name: 'a', content: Buffer.alloc(60) },
    { name: 'b', content: Buffer.alloc(40), method: 0 },
  ]);
  expect((await read(two, 100)).size).toBe(2);
  expect(await refusal(two, 99)).toContain('more bytes than are allowed');
});

test('too many entries are refused before they are read', async () => {
  const entries = Array.from({ length: maxArchiveEntries + 1 }, (_value, index) => ({ name: `f${index}` }));
  expect(await refusal(buildZip(entries))).toContain('more than');
});

test('every cut of an archive is refused, and every flipped byte is refused or harmless', async () => {
  const bytes = buildZip([plain, { name: 'b/c', content: 'world', descriptor: true }]);
  for (let length = 0; length < bytes.length; length += 1) {
    expect(await refusal(bytes.subarray(0, length))).toBeTruthy();
  }
  for (let index = 0; index < bytes.length; index += 1) {
    const flipped = Buffer.from(bytes);
    flipped[index] = (flipped[index] ?? 0) ^ 0xff;
    const result = await read(flipped).catch((error: unknown) => error);
    if (result instanceof MurmurError) continue;
    expect(result).toBeInstanceOf(Map);
    const files = result as ReadonlyMap<string, Buffer>;
    for (const content of files.values()) expect(['hello', 'world']).toContain(content.toString());
  }
});

test('bytes without any zip in them are refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      expect(await refusal(Buffer.from(bytes))).toContain('not a readable zip');
    }),
    { numRuns: 100 },
  );
});

test('what is written is read back the same, and the same files always give the same bytes', async () => {
  const files = fc.uniqueArray(
    fc.record({
      name: fc.stringMatching(/^[a-z0-9_-]{1,8}$/),
      content: fc.uint8Array({ maxLength: 2000 }),
    }),
    { selector: ({ name }) => name, maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(files, async (list) => {
      const bytes = await writeArchive(list);
      expect(await writeArchive(list)).toEqual(bytes);
      const back = await read(bytes);
      expect([...back].map(([name, content]) => [name, [...content]])).toEqual(
        list.map(({ name, content }) => [name, [...content]]),
      );
    }),
    { numRuns: 50 },
  );
});

test('the bytes do not depend on the time zone', async () => {
  const files = [{ name: 'a', content: Buffer.from('x') }];
  const zone = process.env.TZ;
  try {
    process.env.TZ = 'Pacific/Kiritimati';
    const east = await writeArchive(files);
    process.env.TZ = 'America/Los_Angeles';
    expect(await writeArchive(files)).toEqual(east);
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
  expect(zlib.crc32('x')).toBe(0x8cdc1683);
});
