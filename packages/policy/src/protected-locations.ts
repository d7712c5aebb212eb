import { realOfMissing } from './locate.js';
import { isSameOrBelow } from './path-segments.js';

/** Directories of the system; neither they nor anything below is ever handed to a harness. */
const SYSTEM_DIRECTORIES: readonly string[] = [
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/proc',
  '/run',
  '/sbin',
  '/sys',
  '/usr',
  '/var/lib',
  '/var/log',
  '/var/run',
  '/var/spool',
  '/Library',
  '/System',
];

/** Places of this run that a harness must not reach around its other grants. */
export interface ProtectedLocations {
  /** The runtime's own home: stores, records, configuration with credentials. Both spellings. */
  readonly murmurHome: readonly string[];
  /** The session's workdir, which has rules of its own. Both spellings. */
  readonly workdir: readonly string[];
}

/** Notes each place as written and as links lead to it; neither needs to exist yet. */
export async function protectedLocations(murmurHome: string, workdir: string): Promise<ProtectedLocations> {
  return {
    murmurHome: [murmurHome, await realOfMissing(murmurHome)],
    workdir: [workdir, await realOfMissing(workdir)],
  };
}

/**
 * Why a directory is never granted to a harness, or null. Besides what lies inside a protected place,
 * a directory that contains the runtime's home is refused, because everything in it would come along,
 * and so is writing to one that contains the workdir, because its read-only entries would not hold.
 */
export function protectionOf(
  directory: string,
  access: 'read' | 'read-write',
  { murmurHome, workdir }: ProtectedLocations,
): string | null {
  if (directory === '/') return 'it is the root directory';
  if (SYSTEM_DIRECTORIES.some((system) => isSameOrBelow(directory, system)))
    return 'it is a system directory';
  if (murmurHome.some((home) => isSameOrBelow(directory, home) || isSameOrBelow(home, directory))) {
    return "it overlaps the runtime's own home";
  }
  if (workdir.some((place) => isSameOrBelow(directory, place))) return 'it lies inside the workdir';
  if (access === 'read-write' && workdir.some((place) => isSameOrBelow(place, directory))) {
    return 'it contains the workdir';
  }
  return null;
}
