import type { Readable } from 'node:stream';
import {
  type ExitRecord,
  type JailedProcess,
  type SpawnRequest,
  spawnRequestProblem,
} from '@murmur/containment';
import { MurmurError } from '@murmur/errors';
import { commandBoundMs, commandOutputBytes } from './limits.js';
import type { CommandContext } from './types.js';
import { within } from './wake.js';
import { whenFinished } from './when-finished.js';

export type CommandOutcome =
  | { readonly kind: 'finished'; readonly exit: ExitRecord; readonly stdout: string; readonly stderr: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** Keeps the start of a stream and reads the rest away, so that the command never blocks on it. */
function collect(stream: Readable | null): { text(): string; readonly ended: Promise<void> } {
  const chunks: Buffer[] = [];
  let size = 0;
  const ended = new Promise<void>((resolve) => {
    if (stream === null) return resolve();
    stream.on('data', (chunk: Buffer) => {
      if (size >= commandOutputBytes) return;
      chunks.push(chunk.subarray(0, commandOutputBytes - size));
      size += chunk.length;
    });
    whenFinished(stream, resolve);
  });
  return { text: () => Buffer.concat(chunks).toString('utf8'), ended };
}

function spawnProblem(error: MurmurError): string {
  const { cause } = error;
  return cause instanceof Error ? cause.message : error.message;
}

/** Runs the harness with the given arguments, its stdin empty, and kills it with all it started after the bound. */
export async function runHarnessCommand(
  context: CommandContext,
  args: readonly string[],
): Promise<CommandOutcome> {
  const request: SpawnRequest = {
    program: context.binary.path,
    args,
    env: context.env,
    cwd: context.cwd,
    stdin: 'null',
    stdout: 'pipe',
    stderr: 'pipe',
    ...(context.limits === undefined ? {} : { limits: context.limits }),
  };
  // The arguments are the driver's: what no process can have is its fault and nobody else's.
  const problem = spawnRequestProblem(request);
  if (problem !== null) return { kind: 'failed', reason: `could not be run: ${problem}` };
  let child: JailedProcess;
  try {
    child = await context.jail.spawn(request);
  } catch (error) {
    if (!(error instanceof MurmurError)) throw error;
    return { kind: 'failed', reason: `could not be run: ${spawnProblem(error)}` };
  }
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const finished = Promise.all([child.exited, stdout.ended, stderr.ended]);
  try {
    if (!(await within(context.clock, commandBoundMs, finished)))
      return { kind: 'failed', reason: `did not answer within ${commandBoundMs / 1000}s` };
    const [exit] = await finished;
    return { kind: 'finished', exit, stdout: stdout.text(), stderr: stderr.text() };
  } catch (error) {
    if (!(error instanceof MurmurError)) throw error;
    return { kind: 'failed', reason: `could not be followed: ${error.message}` };
  } finally {
    await child.kill();
  }
}
