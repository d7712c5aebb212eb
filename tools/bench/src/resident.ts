import { readdir, readFile } from 'node:fs/promises';

const MIB = 1024 * 1024;

/** Resident memory of the guest processes below this one, in MiB. */
export async function guestResidentMib(): Promise<number> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => null);
    const parent = stat === null ? undefined : stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  let bytes = 0;
  for (const pid of parents.keys()) {
    if (!descendsFrom(pid, process.pid, parents)) continue;
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (!/guest[^\0/]*\.js/.test(command)) continue;
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    bytes += Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  }
  return bytes / MIB;
}

function descendsFrom(pid: number, ancestor: number, parents: ReadonlyMap<number, number>): boolean {
  for (let at = parents.get(pid); at !== undefined && at > 1; at = parents.get(at)) {
    if (at === ancestor) return true;
  }
  return false;
}

/** Resident memory of this process, in MiB. */
export const ownResidentMib = (): number => process.memoryUsage.rss() / MIB;
