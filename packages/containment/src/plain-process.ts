import { once } from 'node:events';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { MurmurError } from '@murmur/errors';
import type { ContainedProcess } from './contained-process.js';
import { startPlainProcess } from './process-chokepoint.js';
import type { LaunchSpec } from './spec-wire.js';
import type { ExitRecord } from './types.js';

/**
 * A program on a platform without a warden. Weaker: the kill reaches its process group only, nothing ends it when
 * the runtime is killed, limits are not set, and its pipes are sockets.
 */
export function runPlain(label: string, spec: LaunchSpec): ContainedProcess {
  const child = startPlainProcess(spec);
  const killGroup = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // Nobody of the group is left.
    }
  };
  const exited = once(child, 'exit').then((values): ExitRecord => {
    const [code, signal] = values as [number | null, NodeJS.Signals | null];
    killGroup();
    const number = signal === null ? null : constants.signals[signal];
    const layers = ['session', 'environment', 'descriptors'];
    return { code, signal: number, oomKilled: false, userTimeUs: 0, systemTimeUs: 0, maxRssBytes: 0, layers };
  });
  exited.catch(() => {});
  const gone = exited.then(
    () => {},
    () => {},
  );
  const kill = async (): Promise<void> => {
    killGroup();
    await gone;
  };
  for (const stream of child.stdio) stream?.on('error', () => {});
  const started = once(child, 'spawn').then(
    () => ({
      pid: child.pid ?? 0,
      stdin: child.stdio[0] as Writable | null,
      stdout: child.stdio[1] as Readable | null,
      stderr: child.stdio[2] as Readable | null,
      channels: child.stdio.slice(3) as (Readable | Writable)[],
      signal: (name: NodeJS.Signals) =>
        child.exitCode === null && child.signalCode === null && child.kill(name),
      kill,
      exited,
    }),
    (cause: unknown) => {
      throw new MurmurError(
        { variant: 'Runtime', message: `${label}: could not execute ${spec.program}` },
        { cause },
      );
    },
  );
  started.catch(() => {});
  return { started, gone, kill };
}
