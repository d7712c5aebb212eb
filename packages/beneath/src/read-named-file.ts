import fs from 'node:fs';
import { MurmurError } from '@murmur/errors';
import { errnoOf, Problem, reported } from './failures.js';
import { readUpTo } from './read-file.js';

/** How a file that a person named is read. */
export interface NamedFileOptions {
  /** What the file was meant to be, for the messages: `capsule manifest`, say. */
  readonly what: string;
  /** A larger file is refused. Default: 16 MiB, more than any text that a person writes. */
  readonly maxBytes?: number;
}

const defaultMaxBytes = 16 * 1024 * 1024;

/**
 * Reads a file by a path that the caller's own user chose: links are followed. Only a regular file is read, never
 * more than `maxBytes`, and nothing is waited for: a pipe that nobody writes to, or an endless device, put where a
 * file is expected would otherwise hold the reader for ever.
 *
 * Throws `E-IO-001`, `E-IO-002`, `E-IO-003`.
 * Implements `docs/spec/artifacts.md`, "Access below a directory".
 */
export async function readNamedFile(file: string, options: NamedFileOptions): Promise<Buffer> {
  try {
    return await readRegular(file, options.maxBytes ?? defaultMaxBytes);
  } catch (error) {
    if (isAbsence(error))
      throw new MurmurError(
        { variant: null, code: 'E-IO-001', what: options.what, path: file },
        { cause: error },
      );
    throw reported(error, `read the ${options.what}`, file);
  }
}

/** As {@link readNamedFile}; null when there is no such file. Throws `E-IO-002`, `E-IO-003`. */
export async function readNamedFileIfThere(file: string, options: NamedFileOptions): Promise<Buffer | null> {
  try {
    return await readNamedFile(file, options);
  } catch (error) {
    if (error instanceof MurmurError && isAbsence(error.cause)) return null;
    throw error;
  }
}

function isAbsence(error: unknown): boolean {
  const errno = errnoOf(error);
  return errno === 'ENOENT' || errno === 'ENOTDIR';
}

async function readRegular(file: string, maxBytes: number): Promise<Buffer> {
  // Looked at before it is opened: opening a pipe or a device can already be an effect.
  if (!fs.statSync(file).isFile()) throw new Problem(NOT_REGULAR);
  const { O_RDONLY, O_NONBLOCK = 0, O_NOCTTY = 0 } = fs.constants;
  const fd = fs.openSync(file, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  try {
    if (!fs.fstatSync(fd).isFile()) throw new Problem(NOT_REGULAR);
    return await readUpTo(fd, maxBytes);
  } finally {
    fs.closeSync(fd);
  }
}

const NOT_REGULAR = 'it is not a regular file';
