import type { Writable } from 'node:stream';

/** The harness's stdin. Writing never blocks the loop, and a harness that stopped reading is reported, not thrown. */
export interface HarnessInput {
  /** Resolves true once the bytes were handed over, false when they could not be. */
  write(bytes: Uint8Array): Promise<boolean>;
  close(): void;
  readonly open: boolean;
}

export function createHarnessInput(
  stream: Writable | null,
  onFailure: (reason: string) => void,
): HarnessInput {
  let open = stream !== null;
  stream?.on('error', (error: Error) => {
    open = false;
    onFailure(error.message);
  });
  return {
    write(bytes) {
      if (stream === null || !open) return Promise.resolve(false);
      return new Promise((resolve) => {
        stream.once('close', () => resolve(false));
        stream.write(bytes, (error) => resolve(error === null || error === undefined));
      });
    },
    close() {
      if (!open) return;
      open = false;
      stream?.end();
    },
    get open() {
      return open;
    },
  };
}
