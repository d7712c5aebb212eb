import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

/** A directory that lasts as long as the test file. */
export function scratchDirectory(): string {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'containment-test-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
