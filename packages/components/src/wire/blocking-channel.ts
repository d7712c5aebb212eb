import { readSync, writeSync } from 'node:fs';
import { type Frame, FrameTooLarge, frameHead, MAX_FRAME_BYTES } from './frames.js';

/** The child's end of the pipes: descriptors given by the jail, read and written with blocking calls. */
const OUT = 3;
const IN = 4;

function readExactly(target: Buffer): boolean {
  let offset = 0;
  while (offset < target.length) {
    const count = readSync(IN, target, offset, target.length - offset, null);
    if (count === 0) return false;
    offset += count;
  }
  return true;
}

function writeAll(bytes: Uint8Array): void {
  let offset = 0;
  while (offset < bytes.length) offset += writeSync(OUT, bytes, offset, bytes.length - offset, null);
}

/** The next frame from `mur`; null when it closed the pipe. */
export function receiveFrame(): Frame | null {
  const head = Buffer.allocUnsafe(5);
  if (!readExactly(head)) return null;
  const length = head.readUInt32LE(0);
  if (length === 0 || length > MAX_FRAME_BYTES) throw new FrameTooLarge(`a frame of ${length} bytes`);
  const body = Buffer.allocUnsafe(length - 1);
  if (!readExactly(body)) return null;
  return { kind: head.readUInt8(4), body };
}

/** Writes one frame; blocks while `mur` does not read. */
export function sendFrame(kind: number, body: Uint8Array = new Uint8Array(0)): void {
  if (body.length + 1 > MAX_FRAME_BYTES) throw new FrameTooLarge(`a frame of ${body.length + 1} bytes`);
  const head = frameHead(kind, body.length);
  if (body.length > 4096) {
    writeAll(head);
    writeAll(body);
    return;
  }
  writeAll(Buffer.concat([head, body]));
}
