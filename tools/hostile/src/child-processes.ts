import { readdir, readFile } from 'node:fs/promises';

/** Descendants of this process that are alive, each as `pid command`. */
export async function childProcesses(): Promise<readonly string[]> {
  const parents = new Map<number, { readonly parent: number; readonly state: string }>();
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => null);
    const [state = '', parent = ''] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
    if (stat !== null) parents.set(Number(entry), { parent: Number(parent), state });
  }
  const found: string[] = [];
  for (const [pid, { state }] of parents) {
    if (state === 'Z' || !descends(pid, parents)) continue;
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null);
    if (command !== null && command !== '') found.push(`${pid} ${command.replaceAll('\0', ' ').trim()}`);
  }
  return found;
}

function descends(pid: number, parents: ReadonlyMap<number, { readonly parent: number }>): boolean {
  for (let at = parents.get(pid)?.parent; at !== undefined && at > 1; at = parents.get(at)?.parent) {
    if (at === process.pid) return true;
  }
  return false;
}

/** Processes anywhere whose environment or command line holds a text, each as `pid command`. */
export async function processesWith(text: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid) continue;
    const [environment, command] = await Promise.all(
      ['environ', 'cmdline'].map((file) => readFile(`/proc/${entry}/${file}`, 'utf8').catch(() => '')),
    );
    if (`${environment}${command}`.includes(text))
      found.push(`${entry} ${command?.replaceAll('\0', ' ').trim()}`);
  }
  return found;
}
