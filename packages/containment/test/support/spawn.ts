import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { openJail } from '../../src/jail.js';
import type { ExitRecord, Jail, SpawnRequest } from '../../src/types.js';

/** A request with nothing in it but what a test names. */
export function request(
  program: string,
  args: readonly string[] = [],
  rest: Partial<SpawnRequest> = {},
): SpawnRequest {
  return { program, args, env: {}, cwd: '/', stdin: 'null', stdout: 'null', stderr: 'null', ...rest };
}

export const openTestJail = (): Promise<Jail> => openJail({ class: 'advisory', label: 'test' });

/** Everything that a stream still has. */
export async function textOf(stream: Readable | null): Promise<string> {
  if (stream === null) throw new Error('no such stream');
  return text(stream);
}

/** Runs a program to its end and collects what it wrote to its output. */
export async function run(
  program: string,
  args: readonly string[] = [],
  rest: Partial<SpawnRequest> = {},
): Promise<{ readonly output: string; readonly exit: ExitRecord }> {
  await using jail = await openTestJail();
  const jailed = await jail.spawn(request(program, args, { stdout: 'pipe', ...rest }));
  const [output, exit] = await Promise.all([textOf(jailed.stdout), jailed.exited]);
  return { output, exit };
}
