import fs from 'node:fs';

/**
 * When a process started, in the system's own count: with its id it names one process for good. Null when
 * there is no such process, or where the system does not say (then its id alone must do).
 */
export function processStart(pid: number): string | null {
  if (process.platform !== 'linux') return null;
  try {
    // The program's name is in parentheses and may hold spaces and parentheses of its own.
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

/** Whether the process that had this id and start still runs. */
export function isProcessRunning(pid: number, start: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Not allowed to ask means that it is there.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  const now = processStart(pid);
  return now === null || start === '0' || now === start;
}
