import { readFile } from 'node:fs/promises';

/**
 * The start time of a process as the kernel reports it, an opaque text; null where it cannot be read. Together with
 * the pid it names one process for ever: a pid alone is reused.
 */
export async function processStart(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    // The command name (field 2) may hold spaces and brackets: count fields from behind its last bracket.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

export interface ProcessIdentity {
  readonly pid: number;
  readonly start: string | null;
}

/** False only on evidence: the pid is gone, or it belongs to a process that started at another time. */
export async function mayBeAlive(identity: ProcessIdentity): Promise<boolean> {
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
  const start = await processStart(identity.pid);
  return start === null || identity.start === null || start === identity.start;
}
