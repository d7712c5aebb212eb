import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampleDescription } from '../test/sample-description.js';
import { resolveHarnessBinary } from './resolve-binary.js';

let top: string;
beforeAll(() => {
  top = mkdtempSync(join(tmpdir(), 'murmur-binary-'));
  for (const directory of ['first', 'second', 'project/bin'])
    mkdirSync(join(top, directory), { recursive: true });
  mkdirSync(join(top, 'first', 'agent'));
  writeFileSync(join(top, 'first', 'plain'), '');
  for (const file of ['second/agent', 'second/plain', 'project/bin/own', 'project/agent']) {
    writeFileSync(join(top, file), '#!/bin/sh\n');
    chmodSync(join(top, file), 0o755);
  }
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

const resolve = (
  command: string | null,
  binary = 'agent',
  path = `${join(top, 'first')}:${join(top, 'second')}`,
) =>
  resolveHarnessBinary({
    command,
    description: sampleDescription({ binary }),
    projectDirectory: join(top, 'project'),
    path,
  });

test.each([
  [
    'the driver’s name, along PATH; a directory of that name is passed over',
    null,
    'agent',
    'second/agent',
    "the process driver's describe()",
  ],
  ['a blank command says nothing', '  ', 'agent', 'second/agent', "the process driver's describe()"],
  [
    'a file that may not be executed is passed over',
    null,
    'plain',
    'second/plain',
    "the process driver's describe()",
  ],
  ['a command by name', 'agent', 'other', 'second/agent', 'inference.command'],
  ['a command by path below the project', 'bin/own', 'other', 'project/bin/own', 'inference.command'],
  ['a command by path', './agent', 'other', 'project/agent', 'inference.command'],
] as const)('%s', async (_name, command, binary, path, source) => {
  expect(await resolve(command, binary)).toEqual({ path: join(top, path), source });
});

test.each([
  ['nowhere', null, 'nowhere', "the process driver's describe()"],
  ['bin/none', 'bin/none', 'agent', 'inference.command'],
  ['bin', './bin', 'agent', 'inference.command'],
  ['a\0b', 'a\0b', 'agent', 'inference.command'],
])('%j is not found', async (_name, command, binary, source) => {
  await expect(resolve(command, binary)).rejects.toMatchObject({
    condition: { variant: 'HarnessBinaryNotFound', binary: command ?? binary, binary_source: source },
  });
});

test.each(['', '.', ':', 'second', './second', '..'])(
  'PATH %j never makes the current directory supply the program',
  async (path) => {
    const before = process.cwd();
    process.chdir(join(top, 'second'));
    try {
      await expect(resolve(null, 'agent', path)).rejects.toMatchObject({
        condition: { variant: 'HarnessBinaryNotFound' },
      });
    } finally {
      process.chdir(before);
    }
  },
);
