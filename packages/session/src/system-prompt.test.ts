import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseCapsuleManifest } from '@murmur/manifest';
import { expect, test } from 'vitest';
import { composeSystemPrompt, readSystemPrompt } from './system-prompt.js';

const manifest = (inference: object) =>
  parseCapsuleManifest(
    JSON.stringify({ name: 'a', version: '1', inference: { transport: 'process', ...inference } }),
    { file: 'murmur.yaml' },
  ).manifest;

test('the prompt is the same in every launch and holds the manifest text last', () => {
  const composed = composeSystemPrompt('Be brief.');
  expect(composed).toBe(composeSystemPrompt('Be brief.'));
  expect(composed.endsWith('\n\nBe brief.')).toBe(true);
  expect(composeSystemPrompt(null)).toBe(composeSystemPrompt(''));
  expect(composed).not.toMatch(/ses_|\/|20\d\d/);
});

test('the flag replaces every source, empty clears; the file is verbatim', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'prompt-'));
  try {
    writeFileSync(path.join(directory, 'p.md'), '  spaced\n');
    const file = manifest({ system_prompt_file: 'p.md' });
    expect(await readSystemPrompt(file, directory, undefined)).toEqual({
      text: '  spaced\n',
      source: 'manifest',
    });
    expect(await readSystemPrompt(file, directory, ' flag ')).toEqual({ text: 'flag', source: 'cli' });
    expect(await readSystemPrompt(file, directory, '')).toEqual({ text: null, source: 'cli' });
    expect(await readSystemPrompt(manifest({ system_prompt: 'inline' }), directory, undefined)).toEqual({
      text: 'inline',
      source: 'manifest',
    });
    expect(await readSystemPrompt(manifest({}), directory, undefined)).toEqual({
      text: null,
      source: 'none',
    });
  } finally {
    rmSync(directory, { recursive: true });
  }
});
