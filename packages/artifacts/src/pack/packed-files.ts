import type { Beneath } from '@murmur/beneath';
import { isMurmurError, MurmurError, type WarningCondition } from '@murmur/errors';
import { ArchiveProblem } from '../archive/archive-problem.js';
import { entryNameProblem, refuseClashes } from '../archive/entry-name.js';
import { capsuleComponent, manifestEntry } from '../select-payload.js';

const reservedEntries: readonly string[] = [manifestEntry, capsuleComponent];

/** What goes into an archive: the manifest, then the declared files in their order. */
export interface PackedList {
  readonly names: readonly string[];
  readonly warnings: readonly WarningCondition[];
}

/**
 * Checks the declared files of an artifact without reading them. `output` is the path of the archive itself
 * below the directory, or null; it is never packed.
 *
 * Throws `E-BLD-002` (an entry that is no plain relative path of a regular file, or meets another) and
 * `E-IO-003` (the first one that is missing).
 */
export async function listPackedFiles(
  directory: Beneath,
  declared: readonly string[],
  output: string | null,
): Promise<PackedList> {
  const names = [manifestEntry];
  const warnings: WarningCondition[] = [];
  for (const entry of declared) {
    const name = archiveName(entry);
    await refuseUnlessRegular(directory, entry, name);
    if (names.includes(name)) {
      if (reservedEntries.includes(name)) warnings.push({ code: 'W-BLD-001', entry });
    } else if (name !== output) {
      refuseIfMeeting(entry, names, name);
      names.push(name);
    }
  }
  return { names, warnings };
}

/** The declared path with `/` between segments and without `.` segments. */
function archiveName(entry: string): string {
  const path = entry.replaceAll('\\', '/');
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) throw refused(entry, 'it is an absolute path');
  const segments = path.split('/').filter((segment) => segment !== '.' && segment !== '');
  if (segments.includes('..')) throw refused(entry, 'it climbs out with ".."');
  const name = segments.join('/');
  if (name === '') throw refused(entry, 'it names no file');
  const problem = entryNameProblem(name);
  if (problem !== null) throw refused(entry, `its name ${problem}`);
  return name;
}

async function refuseUnlessRegular(directory: Beneath, entry: string, name: string): Promise<void> {
  const found = await directory.stat(name).catch((error: unknown) => {
    if (!isMurmurError(error) || error.condition.variant !== 'WorkdirPathRefused') throw error;
    throw refused(entry, error.condition.reason, error);
  });
  if (found === null) {
    const reason = `'${entry}' is declared in requires_files and does not exist`;
    const path = directory.path;
    throw new MurmurError({ variant: null, code: 'E-IO-003', operation: 'pack', path, reason });
  }
  if (found.kind === 'link') throw refused(entry, 'it is a symbolic link');
  if (found.kind !== 'file') throw refused(entry, 'it is not a regular file');
}

function refuseIfMeeting(entry: string, names: readonly string[], name: string): void {
  try {
    refuseClashes([...names, name]);
  } catch (error) {
    if (!(error instanceof ArchiveProblem)) throw error;
    throw refused(entry, error.message, error);
  }
}

function refused(entry: string, problem: string, cause?: unknown): MurmurError {
  return new MurmurError({ variant: null, code: 'E-BLD-002', entry, problem }, { cause });
}
