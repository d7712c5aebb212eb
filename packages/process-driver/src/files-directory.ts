import { randomBytes } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { openBeneath } from '@murmur/beneath';
import type { LaunchPlan } from './contract.js';
import { filesDirectoryToken } from './limits.js';

export interface FilesDirectory {
  readonly path: string;
  /** Removes the directory with all that is in it, whatever the harness left there. */
  remove(): Promise<void>;
}

/** Makes a fresh directory of one run (0700) and writes the plan's files (0600) into it. */
export async function makeFilesDirectory(root: string, files: LaunchPlan['files']): Promise<FilesDirectory> {
  const parent = await openBeneath(root, { create: true, mode: 0o700, noFollow: true });
  const runId = randomBytes(16).toString('hex');
  const remove = async (): Promise<void> => {
    try {
      await parent.remove(runId);
    } finally {
      await parent[Symbol.asyncDispose]();
    }
  };
  try {
    await parent.makeDirectory(runId, { mode: 0o700 });
    // Not durable: the directory is gone with the run.
    for (const { name, contents } of files)
      await parent.write(`${runId}/${name}`, contents, { mode: 0o600, durable: false });
    return { path: join(await realpath(root), runId), remove };
  } catch (error) {
    await remove().catch(() => undefined);
    throw error;
  }
}

/** Puts the directory's path where a plan says `{files_dir}`: in arguments and in values of variables, nowhere else. */
export function placeFilesDirectory(plan: LaunchPlan, path: string): Pick<LaunchPlan, 'args' | 'envSet'> {
  const place = (text: string): string => text.split(filesDirectoryToken).join(path);
  return {
    args: plan.args.map(place),
    envSet: plan.envSet.map(([name, value]) => [name, place(value)] as const),
  };
}
