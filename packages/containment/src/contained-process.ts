import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import type { Duplex, Readable, Writable } from 'node:stream';
import { MurmurError } from '@murmur/errors';
import { launchFailure, wardenLost } from './launch-failure.js';
import { CONTROL_DESCRIPTOR, startWarden } from './process-chokepoint.js';
import { encodeSpec, type LaunchSpec } from './spec-wire.js';
import { encodeCommand, recordReader, type StatusRecord } from './status-wire.js';
import type { ExitRecord, JailedProcess } from './types.js';
import { openPipes, type PipeStreams } from './warden-pipes.js';

/** How long a kill may go unanswered before the lifeline is cut, on which the warden's outer process acts alone. */
const KILL_PATIENCE_MS = 15_000;

interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  // Callers may await one of several promises of a process; the others must not count as unhandled.
  promise.catch(() => {});
  return { promise, resolve, reject };
}

/** A program under its own warden. `gone` resolves when neither of the warden's processes is left. */
export interface ContainedProcess {
  readonly started: Promise<JailedProcess>;
  readonly gone: Promise<void>;
  kill(): Promise<void>;
}

/** One warden from its start to its end. */
export function runContained(label: string, wardenPath: string, spec: LaunchSpec): ContainedProcess {
  const warden: ChildProcess = startWarden(wardenPath);
  const control = warden.stdio[CONTROL_DESCRIPTOR] as Duplex;
  const started = deferred<JailedProcess>();
  const exited = deferred<ExitRecord>();
  const gone = deferred<void>();
  let pipes: PipeStreams = [];
  let pid: number | null = null;
  let ended = false;

  const fail = (error: unknown): void => {
    ended = true;
    started.reject(error);
    exited.reject(error);
    if (pid === null) for (const pipe of pipes) pipe?.destroy();
  };

  const jailed = (program: number): JailedProcess => ({
    pid: program,
    stdin: pipes[0] as Writable | null,
    stdout: pipes[1] as Readable | null,
    stderr: pipes[2] as Readable | null,
    channels: pipes.slice(3) as (Readable | Writable)[],
    signal: (name) => {
      if (ended || !control.writable) return false;
      control.write(encodeCommand({ kind: 'signal', signal: constants.signals[name] }));
      return true;
    },
    kill,
    exited: exited.promise,
  });

  async function kill(): Promise<void> {
    if (!ended && control.writable) control.write(encodeCommand({ kind: 'kill' }));
    // A warden that the program has stopped cannot answer: wake it, and cut the lifeline.
    const timer = setTimeout(() => {
      warden.kill('SIGCONT');
      control.destroy();
    }, KILL_PATIENCE_MS);
    await gone.promise;
    clearTimeout(timer);
  }

  const onReady = (record: Extract<StatusRecord, { kind: 'ready' }>): void => {
    // The number means the warden only as long as Node has not reaped it.
    if (warden.pid === undefined || warden.exitCode !== null || warden.signalCode !== null) return;
    pipes = openPipes(warden.pid, spec.descriptors, record.runtimeEnds);
    control.write(encodeCommand({ kind: 'go' }));
  };

  const onRecord = (record: StatusRecord): void => {
    switch (record.kind) {
      case 'ready':
        return onReady(record);
      case 'started':
        pid = record.pid;
        return started.resolve(jailed(record.pid));
      case 'failed':
        return fail(launchFailure(label, spec.program, record));
      case 'exited':
        ended = true;
        started.reject(wardenLost(label, spec.program, 'ended it before it was executed'));
        return exited.resolve(record.exit);
    }
  };

  const read = recordReader(onRecord);
  control.on('data', (chunk: Buffer) => {
    try {
      read(chunk);
    } catch (error) {
      fail(
        new MurmurError(
          { variant: 'Runtime', message: `${label}: the containment helper misbehaved` },
          { cause: error },
        ),
      );
      control.destroy();
    }
  });
  // Broken pipes show as the end of the stream; the reason is told there.
  control.on('error', () => {});
  control.on('close', () => {
    if (!ended) fail(wardenLost(label, spec.program, 'was killed'));
  });
  warden.on('error', (cause) => {
    fail(
      new MurmurError(
        {
          variant: 'Runtime',
          message: `${label}: the containment helper ${wardenPath} could not be started`,
        },
        { cause },
      ),
    );
    gone.resolve();
  });
  // `close` comes after the warden was reaped and its control socket, which both of its processes hold, has ended.
  warden.on('close', () => gone.resolve());

  control.write(encodeSpec(spec));
  return { started: started.promise, gone: gone.promise, kill };
}
