import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
/** Inside the package, so that kit and SDK are found. */
const temp = fileURLToPath(new URL('../temp/', import.meta.url));
const page = fileURLToPath(new URL('../../../docs/drivers.md', import.meta.url));

/** Files that a page shows: each fence that follows a `file:` comment. */
function filesOf(markdown: string): ReadonlyMap<string, string> {
  const fences = markdown.matchAll(/^<!-- file: (\S+) -->\n```\w+\n([\s\S]*?)^```$/gm);
  return new Map([...fences].map(([, name = '', contents = '']) => [name, contents]));
}

test('docs/drivers.md: its files build a driver that passes the check and reads its lines', async () => {
  const files = filesOf(await readFile(page, 'utf8'));
  expect([...files.keys()]).toEqual(['src/index.ts', 'murmur.yaml', 'build.mjs', 'check.mjs']);
  await mkdir(temp, { recursive: true });
  const directory = await mkdtemp(join(temp, 'driver-'));
  try {
    for (const [name, contents] of files) {
      await mkdir(dirname(join(directory, name)), { recursive: true });
      await writeFile(join(directory, name), contents);
    }
    const options = { cwd: directory, env: { PATH: process.env.PATH ?? '' } };
    const { stdout: archive } = await run(process.execPath, ['build.mjs'], options);
    expect(archive.trim()).toBe(join(directory, 'dist/murmur-driver-parrot-0.1.0.mur.zip'));
    const { stdout: events } = await run(process.execPath, ['check.mjs'], options);
    expect(events).toContain("{ tag: 'text', text: 'Hello!' }");
    expect(events).toContain("{ tag: 'turn-end', result: 'Hello!' }");
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
