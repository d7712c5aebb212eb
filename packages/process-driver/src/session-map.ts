import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Beneath, openBeneath } from '@murmur/beneath';
import { stripControl } from '@murmur/errors';
import {
  isFileSegment,
  readSessionEntry,
  type SessionEntry,
  sessionFileName,
  writeSessionEntry,
} from './session-entry.js';
import type { SessionMap, SessionMapOptions } from './types.js';

const entryBytes = 64 * 1024;

/**
 * Remembers one harness session per context: in memory, and in a file of the context where a root is given (directories
 * 0700, file 0600). What is in memory wins. A file that is missing, foreign or unreadable is no entry; a write that
 * fails is reported once and survived, since the answer of a finished run must not be lost to it. Forgetting is what a
 * person asked for: when the file cannot be removed, it throws (E-IO-002) and the entry stays.
 * Implements "Sessions" of `docs/spec/process-driver.md`.
 */
export function createSessionMap(options: SessionMapOptions): SessionMap {
  const { record, onProblem } = options;
  const root = options.conversationsRoot !== null && isFileSegment(record) ? options.conversationsRoot : null;
  const memory = new Map<string, SessionEntry>();
  let reported = false;
  let turn: Promise<unknown> = Promise.resolve();

  function problem(error: unknown): void {
    if (reported) return;
    reported = true;
    onProblem(stripControl(error instanceof Error ? error.message : String(error)));
  }
  /** One access at a time, in the order they were asked for. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  }
  async function below<T>(
    directory: string,
    create: boolean,
    work: (root: Beneath) => Promise<T>,
  ): Promise<T> {
    const opened = await openBeneath(directory, { create, mode: 0o700, noFollow: true });
    try {
      return await work(opened);
    } finally {
      await opened[Symbol.asyncDispose]();
    }
  }
  const relative = (contextId: string): string => `${record}/${contextId}/${sessionFileName}`;

  async function lookUp(contextId: string): Promise<SessionEntry | null> {
    const held = memory.get(contextId);
    if (held !== undefined) return held;
    if (root === null || !isFileSegment(contextId)) return null;
    try {
      return await below(root, false, async (top) => {
        if ((await top.stat(relative(contextId)))?.kind !== 'file') return null;
        return readSessionEntry(
          (await top.read(relative(contextId), { maxBytes: entryBytes })).toString('utf8'),
        );
      });
    } catch {
      return null;
    }
  }

  return {
    plan: ({ contextId, continues, carriedId, mintId }) =>
      inTurn(async () => {
        const remember = contextId !== null && continues;
        if (carriedId !== null) return { mode: 'resume', id: carriedId, remember };
        const held = remember ? await lookUp(contextId) : null;
        return held === null
          ? { mode: 'new', id: mintId(), remember }
          : { mode: 'resume', id: held.sessionId, remember };
      }),
    commit: (contextId, sessionId, { harness, driver, nowMs }) =>
      inTurn(async () => {
        const createdMs = (await lookUp(contextId))?.createdMs ?? nowMs;
        memory.set(contextId, { sessionId, createdMs });
        if (root === null || !isFileSegment(contextId)) return;
        try {
          await below(root, true, async (top) => {
            await top.makeDirectory(`${record}/${contextId}`, { mode: 0o700, parents: true });
            const text = writeSessionEntry({ sessionId, createdMs, harness, driver, updatedMs: nowMs });
            await top.write(relative(contextId), text, { mode: 0o600 });
          });
        } catch (error) {
          problem(error);
        }
      }),
    forget: (contextId) =>
      inTurn(async () => {
        const held = await lookUp(contextId);
        if (root !== null && isFileSegment(contextId) && existsSync(root))
          await below(root, false, (top) => top.remove(relative(contextId)));
        memory.delete(contextId);
        return held?.sessionId ?? null;
      }),
    pathFor: (contextId) =>
      root === null || !isFileSegment(contextId) ? null : join(root, record, contextId, sessionFileName),
  };
}
