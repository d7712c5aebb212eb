// Whoever hands over a project chooses what lies at the names that a run reads.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isMurmurError } from '@murmur/errors';
import { parseCapsuleManifest } from '@murmur/manifest';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readRunConfig } from './read-config.js';
import { readProject, withEnvFile } from './read-inputs.js';
import { readSystemPrompt } from './system-prompt.js';
import { taskFromFlag } from './task-text.js';

let directory: string;
const at = (name: string): string => path.join(directory, name);

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'inputs-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const conditionOf = async (reading: Promise<unknown>): Promise<unknown> => {
  const error = await reading.catch((thrown: unknown) => thrown);
  return isMurmurError(error) ? error.condition : error;
};

const prompted = parseCapsuleManifest(
  'name: a\nversion: "1"\ninference: { transport: process, system_prompt_file: prompt.md }\n',
  { file: 'murmur.yaml' },
).manifest;

test.each([
  ['murmur.yaml', () => readProject('murmur.yaml', directory, '0.1.0'), 'E-IO-003'],
  ['.env', () => withEnvFile({}, directory), 'E-IO-003'],
  ['.murmur/config.yaml', () => readRunConfig(directory, directory), 'E-IO-003'],
  ['prompt.md', () => readSystemPrompt(prompted, directory, undefined), 'SystemPromptFileRead'],
] as const)('a pipe at %s is refused, not waited for', async (name, read, expected) => {
  mkdirSync(path.dirname(at(name)), { recursive: true });
  execFileSync('mkfifo', [at(name)]);
  const condition = await conditionOf(read());
  expect(condition).toMatchObject(expected.startsWith('E-') ? { code: expected } : { variant: expected });
  expect(JSON.stringify(condition)).toContain('it is not a regular file');
});

test('a task file larger than any task is refused', async () => {
  writeFileSync(at('task.txt'), Buffer.alloc(16 * 1024 * 1024 + 1, 'x'));
  expect(await conditionOf(taskFromFlag('task.txt', directory))).toMatchObject({ code: 'E-IO-003' });
});
