import fs from 'node:fs';
import type { DirectoryHandle } from './directory-handle.js';
import { entryAt, kindReason } from './entries.js';
import { Problem, Refusal } from './failures.js';

/** Ceiling for a read that names none: what a hostile directory may make the caller hold in memory. */
const defaultMaxReadBytes = 512 * 1024 * 1024;

/** Reads a whole regular file: see `Beneath.read`. */
export async function readRegularFile(
  directory: DirectoryHandle,
  name: Buffer,
  maxBytes: number = defaultMaxReadBytes,
): Promise<Buffer> {
  const fd = directory.openRegularFile(name, fs.constants.O_RDONLY);
  if (fd === null) throw wrongKind(directory, name);
  try {
    return await readUpTo(fd, maxBytes);
  } finally {
    fs.closeSync(fd);
  }
}

/** The refusal for a name that is not a regular file. */
export function wrongKind(directory: DirectoryHandle, name: Buffer): Refusal {
  const kind = entryAt(directory, name)?.kind ?? 'other';
  // A regular file here was put in place after the refused look.
  return new Refusal(kindReason(kind === 'file' ? 'other' : kind));
}

/** Counts bytes as they come: the size a file reports may grow, or be zero, while it is read. */
export async function readUpTo(fd: number, maxBytes: number): Promise<Buffer> {
  const tooLarge = () => new Problem(`the file holds more than ${maxBytes} bytes`);
  const { size } = fs.fstatSync(fd);
  if (size > maxBytes) throw tooLarge();
  let buffer = Buffer.allocUnsafeSlow(size + 1);
  let length = 0;
  for (;;) {
    const got = await readSome(fd, buffer, length);
    length += got;
    if (length > maxBytes) throw tooLarge();
    if (got === 0) return buffer.subarray(0, length);
    if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(length * 2, maxBytes + 1));
  }
}

function readSome(fd: number, buffer: Buffer, from: number): Promise<number> {
  return new Promise((resolve, reject) => {
    fs.read(fd, buffer, from, buffer.length - from, null, (error, got) =>
      error === null ? resolve(got) : reject(error),
    );
  });
}
