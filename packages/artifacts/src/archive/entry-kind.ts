import type { Entry } from 'yauzl';
import { ArchiveProblem } from './archive-problem.js';

const typeMask = 0o170000;
const regularType = 0o100000;
const directoryType = 0o040000;
const dosDirectory = 0x10;
const encrypted = 0x0001 | 0x0040 | 0x2000;
const unicodePathField = 0x7075;
const stored = 0;
const deflated = 8;

/** Whether an entry is a directory. Anything but a regular file or a directory is refused. */
export function isDirectoryEntry(entry: Entry, name: string): boolean {
  const refuse = (why: string): never => {
    throw new ArchiveProblem(`the entry ${JSON.stringify(name)} ${why}`);
  };
  const type = (entry.externalFileAttributes >>> 16) & typeMask;
  const directory = name.endsWith('/');
  // Judged whatever system the archive claims to come from: other readers go by these bits alone.
  if (type !== 0 && type !== regularType && type !== directoryType) {
    refuse('is a link or a special file');
  }
  if ((type === directoryType || type === regularType) && (type === directoryType) !== directory) {
    refuse('has a kind that contradicts its name');
  }
  if ((entry.externalFileAttributes & dosDirectory) !== 0 && !directory) {
    refuse('has a kind that contradicts its name');
  }
  if (directory && (entry.uncompressedSize !== 0 || entry.crc32 !== 0)) refuse('is a directory with content');
  if ((entry.generalPurposeBitFlag & encrypted) !== 0) refuse('is encrypted');
  if (entry.compressionMethod !== stored && entry.compressionMethod !== deflated) {
    refuse(`is compressed by method ${entry.compressionMethod}; only stored and deflated are read`);
  }
  if (entry.extraFields.some((field) => field.id === unicodePathField)) refuse('carries a second name');
  return directory;
}
