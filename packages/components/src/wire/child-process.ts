import type { Readable, Writable } from 'node:stream';
import type { ExitRecord, Jail, JailedProcess, ProcessLimits } from '@murmur/containment';
import { collectTail, plainText } from '../text-tail.js';
import { type ChannelHandlers, frameWriter, readChannel } from './channel.js';

export interface FramedChild {
  readonly process: JailedProcess;
  send(kind: number, body: Uint8Array): void;
  listen(handlers: ChannelHandlers): void;
  /** The end of what it printed so far. */
  printed(): string;
  /** Waits for the end of a process whose channel ended, and says how it went, with what it last printed. */
  finish(): Promise<{ readonly text: string; readonly outOfMemory: boolean }>;
}

export interface FramedChildRequest {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly limits: ProcessLimits;
}

/** V8 aborts the process when its heap is full and says so on stderr only. */
const HEAP_EXHAUSTED = /heap out of memory|Out of memory|Cannot allocate memory/i;

/** A dying process closes its channel last; one that is still there after this time has closed it and stays. */
const EXIT_GRACE_MS = 1_000;

function within<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  return Promise.race([promise.catch(() => null), timeout]).finally(() => clearTimeout(timer));
}

function describeEnd(exit: ExitRecord | null): string {
  if (exit === null) return 'closed its channel and was killed';
  return exit.signal === null ? `exited with ${exit.code}` : `was ended by signal ${exit.signal}`;
}

/** Spawns a program that speaks frames: it writes to descriptor 3 and reads from descriptor 4. */
export async function spawnFramedChild(jail: Jail, request: FramedChildRequest): Promise<FramedChild> {
  const process = await jail.spawn({
    ...request,
    cwd: '/',
    stdin: 'null',
    stdout: 'pipe',
    stderr: 'pipe',
    channels: ['out', 'in'],
  });
  // Nobody may be waiting for the end when it comes.
  process.exited.catch(() => {});
  const tail = collectTail([process.stdout, process.stderr]);
  const [fromChild, toChild] = process.channels;
  if (fromChild === undefined || toChild === undefined) throw new Error('the jail gave no channels');
  return {
    process,
    send: frameWriter(toChild as Writable),
    listen: (handlers) => readChannel(fromChild as Readable, handlers),
    printed: () => plainText(tail()),
    finish: async () => {
      const exit = await within(process.exited, EXIT_GRACE_MS);
      await process.kill();
      const printed = tail();
      const how = describeEnd(exit);
      return {
        text: printed === '' ? how : `${how}: ${plainText(printed)}`,
        outOfMemory: exit?.oomKilled === true || HEAP_EXHAUSTED.test(printed),
      };
    },
  };
}
