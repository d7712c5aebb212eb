import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { MurmurError } from '@murmur/errors';
import { afterEach } from 'vitest';

const made: string[] = [];

/** A fresh directory, removed after the test. */
export function scratch(): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'beneath-'));
  made.push(directory);
  return directory;
}

afterEach(() => {
  for (const directory of made.splice(0)) fs.rmSync(directory, { recursive: true, force: true });
});

/** The condition of the MurmurError that an action fails with. */
export async function conditionOf(action: () => Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await action();
  } catch (error) {
    if (error instanceof MurmurError) return { ...error.condition };
    throw error;
  }
  throw new Error('nothing was refused');
}

/** Every path below a directory with what it is and holds, without following links. */
export function snapshot(directory: string): Record<string, string> {
  const result: Record<string, string> = {};
  for (const name of fs.readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(directory, name);
    const stats = fs.lstatSync(file);
    const content = stats.isFile() ? fs.readFileSync(file, 'utf8') : '';
    result[name] = `${stats.mode.toString(8)} ${content}`;
  }
  return result;
}
