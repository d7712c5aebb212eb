import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import type { DescriptorKind } from './spec-wire.js';

/** The runtime's ends of a program's pipes, by descriptor number. */
export type PipeStreams = readonly (Readable | Writable | null)[];

/**
 * Node cannot make a pipe, only sockets, and a program cannot open `/dev/stdout` on a socket. So the warden makes
 * the pipes and holds both ends until these are open; opening by `/proc` gives an end of its own, non-blocking
 * here without being so for the program.
 */
function openEnd(wardenPid: number, number: number, kind: DescriptorKind): number {
  const flags = (kind === 'programReads' ? constants.O_WRONLY : constants.O_RDONLY) | constants.O_NONBLOCK;
  const descriptor = openSync(`/proc/${wardenPid}/fd/${number}`, flags);
  if (fstatSync(descriptor).isFIFO()) return descriptor;
  closeSync(descriptor);
  throw new Error('the containment helper offered something other than a pipe');
}

function toStream(descriptor: number, kind: DescriptorKind): Readable | Writable {
  const reads = kind === 'programWrites';
  const stream = new Socket({ fd: descriptor, readable: reads, writable: !reads });
  // A program that closes its end early makes EPIPE here. It must not bring the runtime down when nobody listens.
  stream.on('error', () => {});
  return stream;
}

/** Opens the runtime's end of every pipe. Nothing stays open when one cannot be opened. */
export function openPipes(
  wardenPid: number,
  kinds: readonly DescriptorKind[],
  numbers: readonly (number | null)[],
): PipeStreams {
  const descriptors: (number | null)[] = [];
  try {
    kinds.forEach((kind, index) => {
      const number = numbers[index] ?? null;
      if ((number === null) !== (kind === 'null'))
        throw new Error('the containment helper offered other pipes than it was asked for');
      descriptors.push(number === null ? null : openEnd(wardenPid, number, kind));
    });
  } catch (error) {
    for (const descriptor of descriptors) if (descriptor !== null) closeSync(descriptor);
    throw error;
  }
  return descriptors.map((descriptor, index) => {
    const kind = kinds[index];
    return descriptor === null || kind === undefined ? null : toStream(descriptor, kind);
  });
}
