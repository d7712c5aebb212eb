import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type Beneath, readNamedFile } from '@murmur/beneath';
import { MurmurError, osError } from '@murmur/errors';

/** Files of the workdir that hold a task, in the order in which they are looked for. */
const TASK_FILES = ['task.md', 'input.txt'] as const;
const MAX_TASK_BYTES = 16 * 1024 * 1024;

/**
 * The text of `--task`: the content of an existing file, else the value itself.
 * @throws MurmurError E-IO-002, E-IO-003
 */
export async function taskFromFlag(value: string, cwd: string): Promise<string> {
  const file = path.resolve(cwd, value);
  try {
    if (!(await stat(file)).isFile()) return value;
  } catch (error) {
    // A long or odd text is no path at all; only a file that is there and cannot be reached is a fault.
    if (osError(error).code !== 'EACCES') return value;
  }
  return (await readNamedFile(file, { what: 'task file', maxBytes: MAX_TASK_BYTES })).toString('utf8');
}

/**
 * The task that lies in the workdir, or null.
 * @throws MurmurError WorkdirPathRefused, E-IO-002, E-IO-003
 */
export async function taskFromWorkdir(workdir: Beneath): Promise<string | null> {
  for (const name of TASK_FILES) {
    if ((await workdir.stat(name)) !== null)
      return (await workdir.read(name, { maxBytes: MAX_TASK_BYTES })).toString('utf8');
  }
  return null;
}

/** There is no door yet through which a task could come later. */
export function noTask(workdir: string): MurmurError {
  return new MurmurError({
    variant: null,
    code: 'E-IO-001',
    what: "task (pass '--task', or put a task.md into the workdir)",
    path: path.join(workdir, TASK_FILES[0]),
  });
}
