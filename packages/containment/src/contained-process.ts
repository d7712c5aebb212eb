import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { deferred } from './deferred.js';
import { helperFailure, launchFailure } from './launch-failure.js';
import { startWarden } from './process-chokepoint.js';
import { encodeSpec, type LaunchSpec } from './spec-wire.js';
import { encodeCommand, recordReader, type StatusRecord } from './status-wire.js';
import type { ExitRecord, JailedProcess } from './types.js';
import { openPipes, type PipeStreams } from './warden-pipes.js';

/** How long a kill may go unanswered before the lifeline is cut, on which the warden's outer process acts alone. */
const KILL_PATIENCE_MS = 15_000;

/** A program under its own warden. `gone` resolves when neither of the warden's processes is left. */
export interface ContainedProcess {
  readonly started: Promise<JailedProcess>;
  readonly gone: Promise<void>;
  kill(): Promise<void>;
}

/**
 * One warden from its start to its end.
 * @throws Error, before anything is started, when the specification is too large
 */
export function runContained(label: string, wardenPath: string, spec: LaunchSpec): ContainedProcess {
  const specBytes = encodeSpec(spec);
  const { warden, control, status } = startWarden(wardenPath);
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
      if (ended || control?.writable !== true) return false;
      control.write(encodeCommand({ kind: 'signal', signal: constants.signals[name] }));
      return true;
    },
    kill,
    exited: exited.promise,
  });

  async function kill(): Promise<void> {
    if (!ended && control?.writable === true) control.write(encodeCommand({ kind: 'kill' }));
    // A warden that the program has stopped cannot answer: wake it, and cut the lifeline.
    const timer = setTimeout(() => {
      warden.kill('SIGCONT');
      control?.destroy();
    }, KILL_PATIENCE_MS);
    await gone.promise;
    clearTimeout(timer);
  }

  const onReady = (record: Extract<StatusRecord, { kind: 'ready' }>): void => {
    // The number means the warden only as long as Node has not reaped it.
    if (warden.pid === undefined || warden.exitCode !== null || warden.signalCode !== null) return;
    try {
      pipes = openPipes(warden.pid, spec.descriptors, record.runtimeEnds);
    } catch (error) {
      fail(helperFailure(label, spec.program, 'made pipes that could not be opened', error));
      control?.destroy();
      return;
    }
    control?.write(encodeCommand({ kind: 'go' }));
  };

  const onRecord = (record: StatusRecord): void => {
    switch (record.kind) {
      case 'ready':
        onReady(record);
        break;
      case 'started':
        pid = record.pid;
        started.resolve(jailed(record.pid));
        break;
      case 'failed':
        fail(launchFailure(label, spec.program, record, spec.jail));
        break;
      case 'exited':
        ended = true;
        if (pid === null) fail(helperFailure(label, spec.program, 'ended it before it was executed'));
        exited.resolve(record.exit);
        break;
    }
  };

  const read = recordReader(onRecord);
  status?.on('data', (chunk: Buffer) => {
    try {
      read(chunk);
    } catch (error) {
      fail(helperFailure(label, spec.program, 'misbehaved', error));
      control?.destroy();
      status.destroy();
    }
  });
  // A warden that has ended takes no command: an error here, and no news.
  control?.on('error', () => {});
  status?.on('error', () => {});
  status?.on('close', () => {
    if (!ended) fail(helperFailure(label, spec.program, 'ended without a report'));
  });
  warden.on('error', (cause) => {
    fail(helperFailure(label, spec.program, `could not be started from ${wardenPath}`, cause));
    gone.resolve();
  });
  // `close` comes after the outer process was reaped and the status socket, which both processes hold, has ended.
  warden.on('close', () => {
    // Nobody is left to read what was not written yet; what the program wrote stays readable.
    pipes.forEach((pipe, index) => {
      if (spec.descriptors[index] === 'programReads') pipe?.destroy();
    });
    gone.resolve();
  });

  control?.write(specBytes);
  return { started: started.promise, gone: gone.promise, kill };
}
