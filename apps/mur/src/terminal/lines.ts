import type { WriteStream } from 'node:tty';

/**
 * Writes that survive a reader that went away: a closed stdout or stderr never ends a session and never changes
 * an exit code. The lost text is dropped.
 */
export interface Lines {
  readonly isTerminal: boolean;
  write(text: string): void;
}

export function linesOf(stream: NodeJS.WriteStream | WriteStream): Lines {
  let open = true;
  stream.on('error', () => {
    open = false;
  });
  return {
    isTerminal: stream.isTTY === true,
    write(text) {
      if (open) stream.write(text);
    },
  };
}

/** Waits until what was written has left the process, so that an exit does not cut it. */
export async function flush(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.writableLength === 0 || stream.destroyed) return;
  await new Promise<void>((resolve) => {
    stream.write('', () => resolve());
    stream.once('error', () => resolve());
  });
}
