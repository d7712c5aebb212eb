import type { Readable, Writable } from 'node:stream';
import { type Frame, frameCollector, frameHead, MAX_FRAME_BYTES } from './frames.js';

export interface ChannelHandlers {
  readonly onFrame: (frame: Frame) => void;
  /** A frame that cannot be, or whatever `onFrame` threw. The channel is closed by then. */
  readonly onFault: (error: unknown) => void;
  /** The peer closed its end, or the pipe broke. */
  readonly onEnd: () => void;
}

/** Reads frames from an untrusted child until the first fault. */
export function readChannel(stream: Readable, handlers: ChannelHandlers): void {
  const collect = frameCollector(MAX_FRAME_BYTES);
  let open = true;
  const finish = (): void => {
    if (!open) return;
    open = false;
    handlers.onEnd();
  };
  stream.on('data', (chunk: Buffer) => {
    if (!open) return;
    try {
      for (const frame of collect(chunk)) handlers.onFrame(frame);
    } catch (error) {
      open = false;
      stream.destroy();
      handlers.onFault(error);
    }
  });
  stream.on('end', finish);
  stream.on('close', finish);
  stream.on('error', finish);
}

/** Writes frames to a child. A child that ends early breaks the pipe; its exit tells the story, not the write. */
export function frameWriter(stream: Writable): (kind: number, body: Uint8Array) => void {
  stream.on('error', () => {});
  return (kind, body) => {
    stream.cork();
    stream.write(frameHead(kind, body.length));
    if (body.length > 0) stream.write(body);
    stream.uncork();
  };
}
