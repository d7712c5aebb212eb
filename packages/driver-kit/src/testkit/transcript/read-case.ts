import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { DriverEvent } from '@murmur/driver-sdk';
import type { TranscriptCase } from './case.js';
import { readPlan, readRequest } from './launch-json.js';
import { readExit, readMeta } from './meta-json.js';
import { TranscriptProblem } from './read-fields.js';

/**
 * Reads one recording from its directory. Implements "Transcripts" of `docs/spec/driver-testkit.md`.
 *
 * @throws Error naming the file and the member that cannot be used
 */
export async function readCase(directory: string): Promise<TranscriptCase> {
  const meta = readMeta(await readJson(directory, 'meta.json'), at(directory, 'meta.json'));
  const request = await readOptionalJson(directory, 'request.json');
  if (request === undefined && meta.command === 'turn')
    throw new TranscriptProblem(`${at(directory, 'request.json')} is missing: a turn is replayed with it`);
  const plan = await readOptionalJson(directory, 'plan.json');
  const events = await readOptionalJson(directory, 'events.json');
  return {
    name: basename(directory),
    meta,
    stdout: new Uint8Array(await readBytes(directory, 'stdout.bin')),
    stderr: (await readBytes(directory, 'stderr.txt')).toString('utf8'),
    exit: readExit(await readJson(directory, 'exit.json'), at(directory, 'exit.json')),
    request: request === undefined ? null : readRequest(request, at(directory, 'request.json')),
    plan: plan === undefined ? null : readPlan(plan, at(directory, 'plan.json')),
    events: events === undefined ? null : readEvents(events, at(directory, 'events.json')),
  };
}

/**
 * Reads every recording below a directory, in the order of their names. A directory without `meta.json` is refused:
 * half a recording must not pass for none.
 *
 * @throws Error as `readCase` does, and when there is no recording at all
 */
export async function readCases(directory: string): Promise<readonly TranscriptCase[]> {
  let entries: readonly { readonly name: string; isDirectory(): boolean }[];
  try {
    entries = await readdir(directory, { withFileTypes: true });
  } catch (cause) {
    throw new TranscriptProblem(`${directory} cannot be listed: ${(cause as NodeJS.ErrnoException).code}`, {
      cause,
    });
  }
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  if (names.length === 0)
    throw new TranscriptProblem(`${directory} holds no recordings: one directory each, with meta.json`);
  return Promise.all(names.sort().map((name) => readCase(join(directory, name))));
}

function readEvents(value: unknown, where: string): readonly DriverEvent[] {
  const isEvent = (each: unknown): each is DriverEvent =>
    typeof each === 'object' && each !== null && typeof (each as { tag?: unknown }).tag === 'string';
  if (!Array.isArray(value) || !value.every(isEvent))
    throw new TranscriptProblem(`${where} must be a list of events, each with its tag`);
  return value;
}

const at = (directory: string, file: string): string => join(directory, file);

async function readBytes(directory: string, file: string): Promise<Buffer> {
  try {
    return await readFile(at(directory, file));
  } catch (cause) {
    throw new TranscriptProblem(
      `${at(directory, file)} cannot be read: ${(cause as NodeJS.ErrnoException).code}`,
      { cause },
    );
  }
}

async function readJson(directory: string, file: string): Promise<unknown> {
  const text = (await readBytes(directory, file)).toString('utf8');
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new TranscriptProblem(`${at(directory, file)} is not JSON: ${(cause as Error).message}`, { cause });
  }
}

async function readOptionalJson(directory: string, file: string): Promise<unknown> {
  try {
    await readFile(at(directory, file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
  }
  return readJson(directory, file);
}
