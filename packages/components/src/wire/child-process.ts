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
  /** Waits for the end of the process and says how it came about, with what it last printed. */
  describeExit(): Promise<{
    readonly exit: ExitRecord;
    readonly text: string;
    readonly outOfMemory: boolean;
  }>;
}

export interface FramedChildRequest {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly limits: ProcessLimits;
}

/** V8 aborts the process when its heap is full and says so on stderr only. */
const HEAP_EXHAUSTED = /heap out of memory|Out of memory|Cannot allocate memory/i;

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
  const tail = collectTail([process.stdout, process.stderr]);
  const [fromChild, toChild] = process.channels;
  if (fromChild === undefined || toChild === undefined) throw new Error('the jail gave no channels');
  return {
    process,
    send: frameWriter(toChild as Writable),
    listen: (handlers) => readChannel(fromChild as Readable, handlers),
    printed: () => plainText(tail()),
    describeExit: async () => {
      const exit = await process.exited;
      const printed = tail();
      const how = exit.signal === null ? `exited with ${exit.code}` : `was ended by signal ${exit.signal}`;
      return {
        exit,
        text: printed === '' ? how : `${how}: ${plainText(printed)}`,
        outOfMemory: exit.oomKilled || HEAP_EXHAUSTED.test(printed),
      };
    },
  };
}
