import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { MurmurError } from '@murmur/errors';
import { afterEach } from 'vitest';

const made: string[] = [];

/** A fresh directory, removed after the test. */
export function scratch(): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'artifacts-'));
  made.push(directory);
  return directory;
}

afterEach(() => {
  for (const directory of made.splice(0)) fs.rmSync(directory, { recursive: true, force: true });
});

/** The condition of the MurmurError that an action fails with, with its code filled in. */
export async function conditionOf(action: () => unknown): Promise<Record<string, unknown>> {
  try {
    await action();
  } catch (error) {
    if (error instanceof MurmurError) return { ...error.condition, code: error.diagnostic.code };
    throw error;
  }
  throw new Error('nothing was refused');
}

/** Files below a directory, sorted. */
export function filesBelow(directory: string): string[] {
  return fs
    .readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => !fs.lstatSync(path.join(directory, name)).isDirectory())
    .sort();
}
