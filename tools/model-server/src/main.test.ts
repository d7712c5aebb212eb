import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { send } from './raw-http.testkit.js';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'model-server-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

it('serves a script from a file, prints its address and ends on SIGTERM', async () => {
  const file = join(directory, 'scripts.json');
  await writeFile(
    file,
    JSON.stringify({ mine: { steps: [{ blocks: [{ type: 'text', text: 'From a file.' }] }] } }),
  );
  const child = spawn(process.execPath, [MAIN, '--scripts-file', file, '--script', 'mine']);
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { url } = JSON.parse(line.toString()) as { url: string };
    const answer = await send(`${url}/v1/messages`, { messages: [] });
    expect(JSON.parse(answer.text).content).toEqual([{ type: 'text', text: 'From a file.' }]);
  } finally {
    child.kill('SIGTERM');
  }
  expect(await once(child, 'exit')).toEqual([0, null]);
});
