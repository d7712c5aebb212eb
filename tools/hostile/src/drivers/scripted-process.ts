import { Readable, Writable } from 'node:stream';
import type { ExitRecord, Jail, JailedProcess } from '@murmur/containment';

/** What a harness that does not exist does. */
export interface ProcessScript {
  /** Its output, in the pieces it is read in. */
  readonly stdout: readonly Buffer[];
  readonly stderr: readonly Buffer[];
  /** Whether it closes its output. One that does not is waited for until its time is over. */
  readonly ends: boolean;
  readonly code: number | null;
  readonly signal: number | null;
  /** Whether writing to it fails. */
  readonly deaf: boolean;
}

function output(pieces: readonly Buffer[], ends: boolean): Readable {
  let at = 0;
  return new Readable({
    read() {
      const piece = pieces[at];
      at += 1;
      if (piece !== undefined) this.push(piece);
      else if (ends) this.push(null);
    },
  });
}

function scriptedProcess(script: ProcessScript): JailedProcess {
  const { code, signal } = script;
  const record = (by: { code: number | null; signal: number | null }): ExitRecord => ({
    ...by,
    oomKilled: false,
    userTimeUs: 0,
    systemTimeUs: 0,
    maxRssBytes: 0,
    layers: [],
  });
  const stdout = output(script.stdout, script.ends);
  const stderr = output(script.stderr, true);
  const stdin = new Writable({
    write: (_chunk, _encoding, done) => done(script.deaf ? new Error('EPIPE') : null),
  });
  stdin.on('error', () => undefined);
  let end: (record: ExitRecord) => void = () => undefined;
  const exited = new Promise<ExitRecord>((resolve) => {
    end = resolve;
  });
  stdout.once('end', () => end(record({ code, signal })));
  return {
    pid: 1,
    stdin,
    stdout,
    stderr,
    channels: [],
    exited,
    signal: () => true,
    async kill() {
      end(record({ code: null, signal: 9 }));
      stdout.destroy();
      stderr.destroy();
      stdin.destroy();
    },
  };
}

/** A jail whose only program does what a script says. No process is started. */
export function scriptedJail(script: ProcessScript): Jail {
  return {
    spec: { class: 'advisory', label: 'harness' },
    spawn: async () => scriptedProcess(script),
    kill: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}
