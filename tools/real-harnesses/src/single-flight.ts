import { createHash } from 'node:crypto';
import { connect, createServer, type Server } from 'node:net';

/**
 * Runs `work` in one process at a time per key. The lock is an abstract socket: the kernel lets go of it the moment its
 * holder dies, so nothing stale can remain. Where there are no abstract sockets, `work` simply runs; it must be safe
 * to run twice at once.
 */
export async function singleFlight<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  if (process.platform !== 'linux') return work();
  const address = `\0murmur-${createHash('sha256').update(key).digest('hex').slice(0, 32)}`;
  for (;;) {
    const held = await listen(address);
    if (held === null) {
      await untilReleased(address);
      continue;
    }
    try {
      return await work();
    } finally {
      held.release();
    }
  }
}

function listen(address: string): Promise<{ release(): void } | null> {
  return new Promise((resolve, reject) => {
    const waiting = new Set<{ destroy(): void }>();
    const server: Server = createServer((socket) => {
      waiting.add(socket);
      socket.on('error', () => undefined);
    });
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null);
      else reject(error);
    });
    server.listen(address, () =>
      resolve({
        release() {
          server.close();
          for (const socket of waiting) socket.destroy();
        },
      }),
    );
  });
}

/** The holder never writes: the connection ends when the lock does. */
function untilReleased(address: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    socket.resume();
  });
}
