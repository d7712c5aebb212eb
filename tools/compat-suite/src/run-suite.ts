import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { openJail } from '@murmur/containment';
import { CASES, type Case, STATIC_SOURCE } from './cases.js';

/** One case at one class. */
export interface Cell {
  readonly name: string;
  readonly class: 'scoped' | 'sealed';
  readonly uid: number;
  readonly printed: string;
  readonly problems: string;
  readonly works: boolean;
}

async function runCase(which: Case, jailClass: Cell['class'], base: string): Promise<Cell> {
  const work = mkdtempSync(path.join(base, 'work-'));
  await using jail = await openJail({
    class: jailClass,
    label: which.name,
    grants: { ...which.grants, readWrite: [work], home: work },
  });
  const jailed = await jail.spawn({
    program: which.program,
    args: which.args,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: work, ...which.env },
    cwd: work,
    stdin: 'null',
    stdout: 'pipe',
    stderr: 'pipe',
    limits: { dataBytes: 2 * 1024 ** 3, processes: 128, openFiles: 1024 },
  });
  const timer = setTimeout(() => void jailed.kill(), 60_000);
  const [printed, problems, exit] = await Promise.all([
    jailed.stdout === null ? '' : text(jailed.stdout),
    jailed.stderr === null ? '' : text(jailed.stderr),
    jailed.exited,
  ]);
  clearTimeout(timer);
  const works = exit.code === 0 && printed === which.prints;
  return { name: which.name, class: jailClass, uid: process.getuid?.() ?? -1, printed, problems, works };
}

function staticCase(base: string): Case {
  const program = path.join(base, 'static');
  execFileSync('cc', ['-static', '-x', 'c', '-o', program, '-'], { input: STATIC_SOURCE });
  return {
    name: 'static C program',
    grants: { executables: [program] },
    program,
    args: [],
    prints: 'static\n',
  };
}

/** Every case at one class, as the calling user. */
export async function runSuite(jailClass: Cell['class'], only = ''): Promise<readonly Cell[]> {
  const base = mkdtempSync('/var/tmp/compat-suite-');
  try {
    chmodSync(base, 0o755);
    const cells: Cell[] = [];
    for (const which of [...CASES, staticCase(base)].filter(({ name }) => name.startsWith(only)))
      cells.push(await runCase(which, jailClass, base));
    return cells;
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}
