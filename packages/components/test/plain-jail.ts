import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import type { ExitRecord, Jail, JailedProcess, SpawnRequest } from '@murmur/containment';

function waitForExit(child: ReturnType<typeof spawn>): Promise<ExitRecord> {
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => {
      resolve({
        code,
        signal: signal === null ? null : constants.signals[signal],
        oomKilled: false,
        userTimeUs: 0,
        systemTimeUs: 0,
        maxRssBytes: 0,
        layers: [],
      });
    });
  });
}

async function spawnPlain(request: SpawnRequest): Promise<JailedProcess> {
  const channels = request.channels ?? [];
  const pipe = (kind: 'pipe' | 'null') => (kind === 'pipe' ? 'pipe' : 'ignore');
  const child = spawn(request.program, [...request.args], {
    env: { ...request.env },
    cwd: request.cwd,
    stdio: [
      pipe(request.stdin),
      pipe(request.stdout),
      pipe(request.stderr),
      ...channels.map(() => 'pipe' as const),
    ],
  });
  const exited = waitForExit(child);
  return {
    pid: child.pid ?? -1,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    channels: channels.map((_, index) => child.stdio[index + 3] as unknown as Readable & Writable),
    signal: (signal) => child.kill(signal),
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    exited,
  };
}

/** A jail that contains nothing: what a test needs where the containment itself is not the subject. */
export async function openPlainJail(label: string): Promise<Jail> {
  const running = new Set<JailedProcess>();
  const kill = async () => {
    await Promise.all([...running].map((child) => child.kill()));
  };
  return {
    spec: { class: 'advisory', label },
    spawn: async (request) => {
      const child = await spawnPlain(request);
      running.add(child);
      void child.exited.then(() => running.delete(child));
      return child;
    },
    kill,
    [Symbol.asyncDispose]: kill,
  };
}
