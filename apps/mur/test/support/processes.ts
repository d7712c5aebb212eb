// Looks at processes through /proc, so that a test can tell that nothing it started is alive.
import { readdirSync, readFileSync } from 'node:fs';

export interface Process {
  readonly pid: number;
  readonly parent: number;
  /** Start time in ticks since boot: with the pid it names one process for ever. */
  readonly start: string;
  readonly command: string;
}

/** Every process now, zombies left out. */
export function processes(): readonly Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
}

function readProcess(pid: number): Process | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trim();
    return { pid, parent: Number(fields[1]), start: fields[19] ?? '', command };
  } catch {
    return null;
  }
}

/** All descendants of a process, by parent links as they stand now. */
export function descendantsOf(pid: number): readonly Process[] {
  const all = processes();
  const found: Process[] = [];
  let front = [pid];
  while (front.length > 0) {
    const next = all.filter((candidate) => front.includes(candidate.parent));
    found.push(...next);
    front = next.map((entry) => entry.pid);
  }
  return found;
}

/** Processes whose environment or arguments hold the text. */
export function processesWith(text: string): readonly Process[] {
  return processes().filter((entry) => {
    if (entry.pid === process.pid) return false;
    if (entry.command.includes(text)) return true;
    try {
      return readFileSync(`/proc/${entry.pid}/environ`, 'latin1').includes(text);
    } catch {
      return false;
    }
  });
}

export function isAlive(entry: Process): boolean {
  return readProcess(entry.pid)?.start === entry.start;
}

/** Resolves with what is still there when the time is up; empty as soon as nothing is. */
export async function remaining(
  look: () => readonly Process[],
  withinMs: number,
): Promise<readonly Process[]> {
  const until = Date.now() + withinMs;
  for (;;) {
    const left = look();
    if (left.length === 0 || Date.now() > until) return left;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
