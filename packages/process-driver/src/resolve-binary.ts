import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { MurmurError } from '@murmur/errors';
import type { HarnessBinary, ResolveBinaryOptions } from './types.js';

async function isExecutableFile(file: string): Promise<boolean> {
  try {
    if (!(await stat(file)).isFile()) return false;
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Finds the harness: `inference.command` when it says anything, else what the driver names. With a separator it is that
 * file (a relative one below the project directory), else the first match along `PATH`. Entries of `PATH` that are not
 * absolute are passed over: they would let the current directory, which may be the workdir, supply the program.
 * Implements "The harness binary" of `docs/spec/process-driver.md`.
 *
 * @throws MurmurError `HarnessBinaryNotFound` (E-RUN-006)
 */
export async function resolveHarnessBinary(options: ResolveBinaryOptions): Promise<HarnessBinary> {
  const { description, projectDirectory, path, isExecutable = isExecutableFile } = options;
  const command = options.command?.trim() ?? '';
  const source = command === '' ? "the process driver's describe()" : 'inference.command';
  const name = command === '' ? description.binary.trim() : command;

  const candidates = name.includes('/')
    ? [resolve(projectDirectory, name)]
    : path
        .split(delimiter)
        .filter((directory) => isAbsolute(directory))
        .map((directory) => join(directory, name));
  for (const file of candidates)
    if (!file.includes('\0') && (await isExecutable(file))) return { path: file, source };
  throw new MurmurError({ variant: 'HarnessBinaryNotFound', binary: name, binary_source: source });
}
