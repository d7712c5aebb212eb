import type { ExitRecord, JailedProcess } from '@murmur/containment';

/** Learns how a process ended without anybody having to wait for it. */
export interface ExitWatch {
  readonly exited: boolean;
  /** Null while it runs, and when how it ended could not be learnt. */
  readonly status: ExitRecord | null;
  /** Why that could not be learnt; null when it could. */
  readonly failure: unknown;
  readonly settled: Promise<void>;
}

export function watchExit(child: JailedProcess, onExit: () => void): ExitWatch {
  const watch = { exited: false, status: null as ExitRecord | null, failure: null as unknown };
  const settled = child.exited
    .then(
      (status) => {
        watch.status = status;
      },
      (error: unknown) => {
        watch.failure = error;
      },
    )
    .then(() => {
      watch.exited = true;
      onExit();
    });
  return Object.assign(watch, { settled });
}
