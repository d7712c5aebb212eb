import { existsSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { JailEntry, JailPlan } from './jail-wire.js';
import { programClosure } from './program-closure.js';
import { isInRuntimeTrees, runtimeMounts, runtimeRules } from './runtime-trees.js';
import type { JailGrants } from './types.js';

const DEFAULT_TMP_BYTES = 256 * 1024 * 1024;
const DEFAULT_SHARED_MEMORY_BYTES = 64 * 1024 * 1024;

/** For what root owns, where nobody else can be asked: a number that belongs to no account. */
const DEDICATED_ID = 64_817;

/** What is made by the jail itself; a grant there would cover it or be covered by it. */
const RESERVED = ['/proc', '/dev', '/sys', '/tmp', '/etc/passwd'];

const isBelow = (file: string, directory: string): boolean => file.startsWith(`${directory}/`);

function canonical(what: string, file: string): string {
  if (!path.isAbsolute(file)) throw new Error(`jail: ${what} ${file} is not an absolute path`);
  const real = realpathSync(file);
  const covers = RESERVED.some((reserved) => real === '/' || real === reserved || isBelow(reserved, real));
  const inside = ['/proc', '/dev', '/sys'].some((reserved) => isBelow(real, reserved));
  if (covers || inside) throw new Error(`jail: ${what} ${file} is part of every jail and cannot be granted`);
  return real;
}

function grantEntries(grants: JailGrants): JailEntry[] {
  const of = (access: JailEntry['access'], what: string, files: readonly string[] = []): JailEntry[] =>
    files.map((file) => ({ access, path: canonical(what, file) }));
  const listed = [
    ...of('read', 'readOnly', grants.readOnly),
    ...of('write', 'readWrite', grants.readWrite),
    ...of('execute', 'executableTrees', grants.executableTrees),
  ];
  for (const entry of listed) {
    if (entry.access !== 'read' && !statSync(entry.path).isDirectory())
      throw new Error(`jail: ${entry.path} is not a directory`);
    if (listed.some((other) => other !== entry && other.path === entry.path))
      throw new Error(`jail: ${entry.path} is granted twice`);
  }
  // Outer directories first: each mount is placed on what the ones before it show.
  return listed.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Directories between a writable grant and a narrower one inside it. Each becomes a mount of its own: a mount point
 * cannot be renamed, but the directory above it could, and the narrower grant would go with it.
 */
function heldDirectories(entries: readonly JailEntry[]): JailEntry[] {
  const held = new Set<string>();
  for (const inner of entries) {
    for (const outer of entries) {
      if (outer.access !== 'write' || !isBelow(inner.path, outer.path)) continue;
      for (let at = path.dirname(inner.path); at !== outer.path; at = path.dirname(at)) held.add(at);
    }
  }
  const named = new Set(entries.map((entry) => entry.path));
  return [...held].filter((file) => !named.has(file)).map((file) => ({ access: 'write', path: file }));
}

/**
 * A file that is protected inside a writable directory must have no second name there, by which it could be changed
 * all the same. Trees are not searched for such files.
 */
function refuseSecondNames(files: readonly JailEntry[], entries: readonly JailEntry[]): void {
  for (const { path: file } of files) {
    const exposed = entries.some((outer) => outer.access === 'write' && isBelow(file, outer.path));
    if (!exposed) continue;
    const found = statSync(file);
    if (found.isFile() && found.nlink > 1)
      throw new Error(`jail: ${file} has another name, by which a program could change it`);
  }
}

/** Directories that the jail's user could not walk through in a view of the host; hidden, they are made anew. */
function closedDirectories(entries: readonly JailEntry[]): JailEntry[] {
  if (process.getuid?.() !== 0) return [];
  const closed = new Set<string>();
  for (const { path: file } of entries) {
    const ancestors: string[] = [];
    for (let at = path.dirname(file); at !== '/'; at = path.dirname(at)) ancestors.unshift(at);
    const granted = (at: string): boolean =>
      entries.some((entry) => entry.path === at || isBelow(at, entry.path));
    const first = ancestors.find(
      (at) => !granted(at) && !isBelow(at, '/tmp') && (statSync(at).mode & 0o001) === 0,
    );
    if (first !== undefined) closed.add(first);
  }
  return [...closed].map((file) => ({ access: 'empty', path: file }));
}

function homeEntries(home: string, entries: readonly JailEntry[], sealed: boolean): JailEntry[] {
  const given = entries.some((entry) => home === entry.path || isBelow(home, entry.path));
  if (given || home === '/tmp' || isBelow(home, '/tmp') || (!sealed && !existsSync(home))) return [];
  return [{ access: 'empty', path: home }];
}

/** Never the host's superuser: whoever owns what is written, else a number of its own. */
function identityOf(grants: JailGrants, entries: readonly JailEntry[]): { uid: number; gid: number } {
  const own = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  if (own.uid !== 0) return own;
  if (grants.identity !== undefined) return grants.identity;
  const first = entries.find((entry) => entry.access === 'write');
  const owner = first === undefined ? own : statSync(first.path);
  if (owner.uid === 0) return { uid: DEDICATED_ID, gid: DEDICATED_ID };
  return { uid: owner.uid, gid: owner.gid === 0 ? DEDICATED_ID : owner.gid };
}

/**
 * Turns grants into what the warden mounts and rules.
 * @throws Error for a grant that does not exist, is no directory where one is due, or would uncover a part of the
 * jail itself
 */
export function planJail(jailClass: 'scoped' | 'sealed', grants: JailGrants): JailPlan {
  const sealed = jailClass === 'sealed';
  const home = grants.home ?? '/tmp';
  if (!path.isAbsolute(home) || /[:\n\0]/.test(home)) throw new Error(`jail: home ${JSON.stringify(home)}`);
  const entries = grantEntries(grants);
  const programs = [...new Set((grants.executables ?? []).flatMap(programClosure))];
  const programEntries = programs.map((file) => ({ access: 'execute', path: file }) as const);
  const covered = (file: string): boolean =>
    isInRuntimeTrees(file) ||
    entries.some((entry) => entry.access === 'execute' && isBelow(file, entry.path));
  const ownMounts = programEntries.filter((entry) => !covered(entry.path));
  const granted = [
    ...entries.filter((entry) => entry.access === 'write' || !isInRuntimeTrees(entry.path)),
    ...heldDirectories([...entries, ...ownMounts]),
    ...ownMounts,
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
  refuseSecondNames([...entries.filter(({ access }) => access !== 'write'), ...ownMounts], entries);
  const { uid, gid } = identityOf(grants, entries);
  return {
    class: jailClass,
    hostUid: uid,
    hostGid: gid,
    insideUid: uid,
    insideGid: gid,
    network: grants.network ?? 'none',
    home,
    tmpBytes: grants.tmpBytes ?? DEFAULT_TMP_BYTES,
    sharedMemoryBytes: grants.sharedMemoryBytes ?? DEFAULT_SHARED_MEMORY_BYTES,
    mounts: [
      ...runtimeMounts(sealed),
      ...(sealed ? [] : closedDirectories(granted)),
      ...homeEntries(home, entries, sealed),
      ...granted,
    ],
    rules: [...runtimeRules(), ...entries, ...programEntries],
  };
}
