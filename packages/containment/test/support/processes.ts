import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const allPids = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** The fields of `/proc/<pid>/stat` behind the name: state, parent, … Null when the process is gone. */
function statFields(pid: number): readonly string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

/** Children of a process, by pid. */
export function childrenOf(pid: number): readonly number[] {
  return allPids().filter((candidate) => statFields(candidate)?.[1] === String(pid));
}

function programOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return '';
  }
}

/** Living processes whose program file lies in `directory`: a process cannot change what it was executed from. */
export function processesFrom(directory: string): readonly number[] {
  return allPids().filter((pid) => programOf(pid).startsWith(`${directory}/`));
}

/** Living processes that were executed from exactly this file. */
export function processesOf(program: string): readonly number[] {
  return allPids().filter((pid) => programOf(pid) === program);
}
