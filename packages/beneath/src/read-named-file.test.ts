import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isMurmurError } from '@murmur/errors';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readNamedFile, readNamedFileIfThere } from './read-named-file.js';

let directory: string;
const at = (name: string): string => path.join(directory, name);
const options = { what: 'thing', maxBytes: 1000 };

beforeEach(() => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'named-file-'));
});
afterEach(() => fs.rmSync(directory, { recursive: true, force: true }));

async function conditionOf(reading: Promise<unknown>): Promise<unknown> {
  const error = await reading.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return isMurmurError(error) ? error.condition : error;
}

test('reads a file, through links as well, up to the ceiling', async () => {
  fs.writeFileSync(at('file'), 'x'.repeat(1000));
  fs.symlinkSync('file', at('link'));
  expect((await readNamedFile(at('link'), options)).length).toBe(1000);
  fs.appendFileSync(at('file'), 'y');
  expect(await conditionOf(readNamedFile(at('file'), options))).toMatchObject({ code: 'E-IO-003' });
});

test('an absent file is named, or null', async () => {
  expect(await conditionOf(readNamedFile(at('none'), options))).toEqual({
    variant: null,
    code: 'E-IO-001',
    what: 'thing',
    path: at('none'),
  });
  expect(await readNamedFileIfThere(at('none'), options)).toBeNull();
  fs.writeFileSync(at('file'), '');
  expect(await readNamedFileIfThere(at('file/below'), options)).toBeNull();
});

test.each(['a pipe that nobody writes to', 'an endless device', 'a directory'])(
  '%s is refused at once',
  async (kind) => {
    if (kind === 'a directory') fs.mkdirSync(at('odd'));
    else if (kind === 'an endless device') fs.symlinkSync('/dev/zero', at('odd'));
    else execFileSync('mkfifo', [at('odd')]);
    expect(await conditionOf(readNamedFileIfThere(at('odd'), options))).toEqual({
      variant: null,
      code: 'E-IO-003',
      operation: 'read the thing',
      path: at('odd'),
      reason: 'it is not a regular file',
    });
  },
);
