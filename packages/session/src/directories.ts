import { randomBytes } from 'node:crypto';
import { mkdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Beneath, openBeneath } from '@murmur/beneath';
import { MurmurError, osError } from '@murmur/errors';
import { layout, projectLayout } from '@murmur/manifest';
import { osErrorBehind } from './os-error-behind.js';
import { mayBeAlive, type ProcessIdentity, processStart } from './process-identity.js';

const OWNER_FILE = 'owner.json';
const STARTING_NAME = /^\.new-(\d+)-(\d*)-/;

/** The directories of one session, held open. Paths on disk: docs/spec/session.md, "Directories". */
export interface SessionDirectories extends AsyncDisposable {
  /** The directory the capsule works in. */
  readonly workdir: Beneath;
  /** What is kept: trace, results, logs. */
  readonly records: Beneath;
  /** What the session needs while it lives; removed at its end. */
  readonly runtime: Beneath;
  /** Where answers of version probes are remembered; shared by all sessions, safe to delete. */
  readonly versions: Beneath;
  /** Directory of the harness driver's files, below `runtime`. */
  readonly harnessFiles: string;
}

export interface DirectoryRequest {
  readonly home: string;
  readonly sessionId: string;
  /** `--workdir`, absolute; null for a fresh one below the project. */
  readonly givenWorkdir: string | null;
  readonly projectDirectory: string;
}

/** Where the session's workdir is or will be. */
export function workdirPath(request: Omit<DirectoryRequest, 'home'>): string {
  return request.givenWorkdir ?? projectLayout(request.projectDirectory).workdir(request.sessionId);
}

/** Where the session's records are or will be, without making anything. */
export function recordsPath(request: DirectoryRequest): string {
  const root = request.givenWorkdir ?? projectLayout(request.projectDirectory).workdirRoot;
  return layout(request.home).records(root, request.sessionId).root;
}

/**
 * Makes the session's directories: workdir, then records and runtime below `~/.murmur`, each 0700.
 * @throws MurmurError CreateWorkdir, RecordsDirUnavailable, RuntimeDirUnavailable
 */
export async function createSessionDirectories(request: DirectoryRequest): Promise<SessionDirectories> {
  const paths = layout(request.home);
  const workdir = await openWorkdir(request);
  const opened: Beneath[] = [workdir];
  try {
    const recordsAt = recordsPath(request);
    const records = await makePrivate(recordsAt, paths.root, (reason) => ({
      variant: 'RecordsDirUnavailable',
      path: recordsAt,
      reason,
    }));
    opened.push(records);
    const runtimeAt = paths.session(request.sessionId).root;
    const runtime = await makeOwned(paths.root, paths.sessionsRoot, request.sessionId);
    opened.push(runtime);
    for (const name of ['harness', 'runtime', 'runtime/tools'])
      await runtime.makeDirectory(name, { mode: 0o700 });
    const versions = await makePrivate(paths.compiled, paths.root, (reason) => ({
      variant: 'RuntimeDirUnavailable',
      path: paths.compiled,
      reason,
    }));
    opened.push(versions);
    for (const name of ['out', 'logs']) await records.makeDirectory(name, { mode: 0o700 });
    return {
      workdir,
      records,
      runtime,
      versions,
      harnessFiles: path.join(runtimeAt, 'harness'),
      async [Symbol.asyncDispose]() {
        const sessions = await openBeneath(paths.sessionsRoot, { noFollow: true });
        try {
          await sessions.remove(request.sessionId);
        } finally {
          await sessions[Symbol.asyncDispose]();
          for (const directory of opened) await directory[Symbol.asyncDispose]();
        }
      },
    };
  } catch (error) {
    for (const directory of opened) await directory[Symbol.asyncDispose]();
    throw error;
  }
}

async function openWorkdir(request: DirectoryRequest): Promise<Beneath> {
  const at = workdirPath(request);
  try {
    if (request.givenWorkdir === null) await mkdir(at, { recursive: true });
    return await openBeneath(await realpath(at));
  } catch (error) {
    throw new MurmurError(
      { variant: 'CreateWorkdir', path: at, source: osErrorBehind(error) },
      { cause: error },
    );
  }
}

/** `--workdir` must exist before anything is made. @throws MurmurError E-IO-001, E-IO-003 */
export async function checkGivenWorkdir(workdir: string): Promise<void> {
  try {
    if ((await stat(workdir)).isDirectory()) return;
  } catch (error) {
    const source = osError(error);
    if (source.code === 'ENOENT')
      throw new MurmurError(
        { variant: null, code: 'E-IO-001', what: 'workdir (--workdir)', path: workdir },
        { cause: error },
      );
    throw new MurmurError(
      {
        variant: null,
        code: 'E-IO-003',
        operation: 'open the workdir (--workdir)',
        path: workdir,
        reason: source.message,
      },
      { cause: error },
    );
  }
  throw new MurmurError({
    variant: null,
    code: 'E-IO-003',
    operation: 'open the workdir (--workdir)',
    path: workdir,
    reason: 'it is not a directory',
  });
}

async function makePrivate(
  directory: string,
  root: string,
  condition: (reason: string) => ConstructorParameters<typeof MurmurError>[0],
): Promise<Beneath> {
  try {
    const base = await openBeneath(root, { create: true, mode: 0o700 });
    try {
      const relative = path.relative(root, directory);
      await base.makeDirectory(relative, { mode: 0o700, parents: true });
      return await base.open(relative);
    } finally {
      await base[Symbol.asyncDispose]();
    }
  } catch (error) {
    throw new MurmurError(condition(osErrorBehind(error).message), { cause: error });
  }
}

/**
 * Makes the runtime directory with its owner in it under a passing name that names the owner as well, then gives it
 * its final name: a process that is killed at any point leaves something that the next run can judge.
 */
async function makeOwned(root: string, sessionsPath: string, sessionId: string): Promise<Beneath> {
  const owner: ProcessIdentity = { pid: process.pid, start: await processStart(process.pid) };
  const sessions = await makePrivate(sessionsPath, root, (reason) => ({
    variant: 'RuntimeDirUnavailable',
    path: sessionsPath,
    reason,
  }));
  try {
    const passing = `.new-${owner.pid}-${owner.start ?? ''}-${sessionId}`;
    await sessions.makeDirectory(passing, { mode: 0o700 });
    // Not durable: no process outlives a crash of the machine, and an owner that cannot be read is none.
    await sessions.write(`${passing}/${OWNER_FILE}`, JSON.stringify(owner), { mode: 0o600, durable: false });
    await sessions.rename(passing, sessionId);
    return await sessions.open(sessionId);
  } catch (error) {
    throw new MurmurError(
      {
        variant: 'RuntimeDirUnavailable',
        path: path.join(sessionsPath, sessionId),
        reason: osErrorBehind(error).message,
      },
      { cause: error },
    );
  } finally {
    await sessions[Symbol.asyncDispose]();
  }
}

/**
 * Removes what sessions that were killed left behind below `~/.murmur/sessions`. A directory whose owner may still
 * be alive is kept; nothing here ever fails a run.
 */
export async function sweepStaleSessions(home: string): Promise<void> {
  let sessions: Beneath;
  try {
    sessions = await openBeneath(layout(home).sessionsRoot, { noFollow: true });
  } catch {
    return;
  }
  try {
    for (const entry of await sessions.list('.')) {
      if (entry.kind !== 'directory') continue;
      const owner = await readOwner(sessions, entry.name);
      if (owner !== null && (await mayBeAlive(owner))) continue;
      // Renamed first: another run that sweeps at the same time finds either the whole or nothing.
      const doomed = `.removing-${randomBytes(8).toString('hex')}`;
      await sessions.rename(entry.name, doomed);
      await sessions.remove(doomed);
    }
  } catch {
    // Another run removes the same directory, or it is not ours to remove: the next run tries again.
  } finally {
    await sessions[Symbol.asyncDispose]();
  }
}

/** Who a directory below `sessions` belongs to; null when nobody can be named, so that it may be removed. */
async function readOwner(sessions: Beneath, name: string): Promise<ProcessIdentity | null> {
  const starting = STARTING_NAME.exec(name);
  if (starting !== null)
    return { pid: Number(starting[1]), start: starting[2] === '' ? null : (starting[2] ?? null) };
  try {
    const value: unknown = JSON.parse(
      (await sessions.read(`${name}/${OWNER_FILE}`, { maxBytes: 4096 })).toString('utf8'),
    );
    const { pid, start } = value as Partial<ProcessIdentity>;
    if (typeof pid === 'number' && Number.isInteger(pid) && pid > 0)
      return { pid, start: typeof start === 'string' ? start : null };
  } catch {
    // No owner that can be read: a session directory never has its final name without one.
  }
  return null;
}
