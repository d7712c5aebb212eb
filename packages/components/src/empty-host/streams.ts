import { writeSync } from 'node:fs';
import { hrtime } from 'node:process';

/** `wasi:io` with no input behind it; output goes to this process's stderr, of which `mur` keeps the end. */

const STDERR = 2;
const WRITE_BUDGET = 65_536n;

/** The glue drops a resource through this method. */
const dispose: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for('dispose');

export class Resource {
  [dispose](): void {}
}

export class IoError extends Resource {
  toDebugString(): string {
    return 'closed';
  }
}

function nowNs(): bigint {
  return hrtime.bigint();
}

/** Ready from a point of the monotonic clock on; the default is ready at once. */
export class Pollable extends Resource {
  readonly readyAtNs: bigint;

  constructor(readyAtNs = 0n) {
    super();
    this.readyAtNs = readyAtNs;
  }

  ready(): boolean {
    return nowNs() >= this.readyAtNs;
  }

  block(): void {
    const waitMs = Number(this.readyAtNs - nowNs()) / 1e6;
    if (waitMs > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
  }
}

export function poll(pollables: readonly Pollable[]): Uint32Array {
  const first = pollables.reduce((a, b) => (b.readyAtNs < a.readyAtNs ? b : a));
  first.block();
  return Uint32Array.from([...pollables.keys()].filter((index) => pollables[index]?.ready() === true));
}

/** Every read finds the end. */
export class InputStream extends Resource {
  read(): never {
    throw { tag: 'closed' };
  }
  blockingRead(): never {
    throw { tag: 'closed' };
  }
  skip(): never {
    throw { tag: 'closed' };
  }
  blockingSkip(): never {
    throw { tag: 'closed' };
  }
  subscribe(): Pollable {
    return new Pollable();
  }
}

export class OutputStream extends Resource {
  checkWrite(): bigint {
    return WRITE_BUDGET;
  }
  write(bytes: Uint8Array): void {
    writeSync(STDERR, bytes);
  }
  blockingWriteAndFlush(bytes: Uint8Array): void {
    this.write(bytes);
  }
  flush(): void {}
  blockingFlush(): void {}
  subscribe(): Pollable {
    return new Pollable();
  }
  writeZeroes(): void {}
  blockingWriteZeroesAndFlush(): void {}
  splice(): never {
    throw { tag: 'closed' };
  }
  blockingSplice(): never {
    throw { tag: 'closed' };
  }
}

/** What a request body is written to: nobody will read it. */
export class DiscardingStream extends OutputStream {
  override write(): void {}
}

export const wasiIo = {
  'wasi:io/error': { Error: IoError },
  'wasi:io/poll': { Pollable, poll },
  'wasi:io/streams': { InputStream, OutputStream },
};
