import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TranscriptCase } from './case.js';
import { planValue } from './launch-json.js';
import { metaValue } from './meta-json.js';

/** Writes a recording as a directory that `readCase` reads back; files that the case has no content for are not made. */
export async function writeCase(directory: string, recorded: TranscriptCase): Promise<void> {
  await mkdir(directory, { recursive: true });
  const write = (file: string, contents: string | Uint8Array): Promise<void> =>
    writeFile(join(directory, file), contents);
  const writeJson = (file: string, value: unknown): Promise<void> =>
    write(file, `${JSON.stringify(value, null, 2)}\n`);
  await write('stdout.bin', recorded.stdout);
  await write('stderr.txt', recorded.stderr);
  await writeJson('exit.json', recorded.exit);
  if (recorded.request !== null) await writeJson('request.json', recorded.request);
  if (recorded.plan !== null) await writeJson('plan.json', planValue(recorded.plan));
  if (recorded.events !== null) await writeJson('events.json', recorded.events);
  // Last: a directory without it is no recording.
  await writeJson('meta.json', metaValue(recorded.meta));
}
