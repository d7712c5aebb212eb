import { ArchiveProblem } from './archive-problem.js';

const maxNameBytes = 1024;
const maxSegmentBytes = 255;
const utf8NameFlag = 0x0800;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The name of an archive entry as text. Only names that mean the same to every reader and every file system
 * pass: UTF-8 that says so, composed (NFC), relative, `/` between segments, nothing invisible.
 * A directory keeps its trailing slash.
 */
export function readEntryName(raw: Buffer, flags: number): string {
  if (raw.length === 0) throw new ArchiveProblem('an entry has no name');
  if (raw.length > maxNameBytes)
    throw new ArchiveProblem(`an entry name is longer than ${maxNameBytes} bytes`);
  const name = decode(raw, flags);
  const problem = entryNameProblem(name);
  if (problem !== null) throw new ArchiveProblem(`the entry ${JSON.stringify(name)} ${problem}`);
  return name;
}

function decode(raw: Buffer, flags: number): string {
  const ascii = raw.every((byte) => byte < 0x80);
  // Without the flag the bytes are in a code page that only the archive's author knows.
  if (!ascii && (flags & utf8NameFlag) === 0) {
    throw new ArchiveProblem(
      `the entry name ${JSON.stringify(raw.toString('latin1'))} has no known encoding`,
    );
  }
  try {
    return utf8.decode(raw);
  } catch (cause) {
    throw new ArchiveProblem(`the entry name ${JSON.stringify(raw.toString('latin1'))} is not valid UTF-8`, {
      cause,
    });
  }
}

/** What is wrong with an entry name, worded to follow the name, or null. */
export function entryNameProblem(name: string): string | null {
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) return 'holds an invisible character';
  if (name.startsWith('/')) return 'is an absolute path';
  if (name.includes('\\')) return 'holds a backslash';
  if (name.includes(':')) return 'holds a colon, which names a drive or a stream on Windows';
  if (name.normalize('NFC') !== name) return 'is not in composed form (NFC)';
  const path = name.endsWith('/') ? name.slice(0, -1) : name;
  for (const segment of path.split('/')) {
    if (segment === '') return 'has an empty segment';
    if (segment === '.' || segment === '..') return `has the segment "${segment}"`;
    if (/[. ]$/.test(segment)) return 'has a segment that ends in a dot or a space';
    if (Buffer.byteLength(segment) > maxSegmentBytes) return 'has a segment that is too long';
  }
  return null;
}

/**
 * Refuses names that would meet on disk: equal after case folding, or one a file where another needs a
 * directory.
 */
export function refuseClashes(names: readonly string[]): void {
  const files = new Map<string, string>();
  const all = new Map<string, string>();
  for (const name of names) {
    const path = name.endsWith('/') ? name.slice(0, -1) : name;
    const clash = all.get(folded(path));
    if (clash !== undefined) {
      throw new ArchiveProblem(
        `the entries ${JSON.stringify(clash)} and ${JSON.stringify(name)} are one name`,
      );
    }
    all.set(folded(path), name);
    if (path === name) files.set(folded(path), name);
  }
  for (const name of names) {
    const segments = name.split('/');
    for (let count = 1; count < segments.length; count += 1) {
      const ancestor = files.get(folded(segments.slice(0, count).join('/')));
      if (ancestor !== undefined) {
        throw new ArchiveProblem(
          `the entry ${JSON.stringify(ancestor)} is a file where ${JSON.stringify(name)} needs a directory`,
        );
      }
    }
  }
}

/** Upper and lower once each: folds more than one of them alone (ß, Turkish and Greek letters). */
function folded(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}
