/**
 * Frames on the pipes to and from a child: u32 little-endian length of what follows, one kind byte, the body.
 */

/** Ceiling on one frame in either direction, kind byte included. */
export const MAX_FRAME_BYTES = 64 * 1024 * 1024;

export const frameKind = {
  // from mur to a guest
  start: 0x01,
  module: 0x02,
  glue: 0x03,
  call: 0x04,
  // from mur to a transpiler
  component: 0x11,
  // from a guest
  ready: 0x81,
  value: 0x82,
  refusal: 0x83,
  trap: 0x84,
  startFailed: 0x85,
  // from a transpiler
  file: 0x91,
  done: 0x92,
  rejected: 0x93,
} as const;

export interface Frame {
  readonly kind: number;
  readonly body: Buffer;
}

const LENGTH_BYTES = 4;

/** The head of a frame; the body is written after it, so that large bodies are not copied. */
export function frameHead(kind: number, bodyBytes: number): Buffer {
  const head = Buffer.allocUnsafe(LENGTH_BYTES + 1);
  head.writeUInt32LE(bodyBytes + 1, 0);
  head.writeUInt8(kind, LENGTH_BYTES);
  return head;
}

export class FrameTooLarge extends Error {
  override readonly name = 'FrameTooLarge';
}

/**
 * Collects bytes into frames. A frame above the ceiling is refused at its length; memory is taken as bytes arrive,
 * never for a length that was only announced, and never per chunk, so that a peer that writes single bytes costs
 * no more than one that writes blocks.
 */
export function frameCollector(maxFrameBytes: number): (chunk: Buffer) => Frame[] {
  let held = Buffer.alloc(0);
  let used = 0;

  function append(chunk: Buffer): void {
    if (used + chunk.length > held.length) {
      const grown = Buffer.allocUnsafe(Math.max(held.length * 2, used + chunk.length));
      held.copy(grown, 0, 0, used);
      held = grown;
    }
    chunk.copy(held, used);
    used += chunk.length;
  }

  return (chunk) => {
    const frames: Frame[] = [];
    append(chunk);
    let position = 0;
    while (used - position >= LENGTH_BYTES) {
      const length = held.readUInt32LE(position);
      if (length === 0 || length > maxFrameBytes) throw new FrameTooLarge(`a frame of ${length} bytes`);
      const end = position + LENGTH_BYTES + length;
      if (end > used) break;
      const kind = held.readUInt8(position + LENGTH_BYTES);
      frames.push({ kind, body: Buffer.from(held.subarray(position + LENGTH_BYTES + 1, end)) });
      position = end;
    }
    if (position > 0) {
      // What is left is copied so that one large frame does not stay in memory behind the small ones after it.
      held = Buffer.from(held.subarray(position, used));
      used = held.length;
    }
    return frames;
  };
}
