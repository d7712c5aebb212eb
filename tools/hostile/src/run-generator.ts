import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Generator, Surroundings } from './generator.js';
import { type FoundFault, type GeneratorReport, type MemoryMark, memoryGrowth } from './tally.js';

/** What a thread is started with. */
export interface WorkerOrder {
  readonly name: string;
  readonly seed: string;
  readonly from: number;
  readonly until: number;
  readonly surroundings: Surroundings;
  /** Two 32-bit numbers: the case being tried, and how many were begun. */
  readonly current: SharedArrayBuffer;
}

export type WorkerMessage =
  | {
      readonly kind: 'counts';
      readonly outcomes: Readonly<Record<string, number>>;
      readonly slowest: { readonly caseNumber: number; readonly ms: number };
    }
  | { readonly kind: 'fault'; readonly caseNumber: number; readonly problem: string }
  | { readonly kind: 'memory'; readonly caseNumber: number; readonly residentMib: number };

/** What is run of a generator. */
export interface RunOptions {
  readonly seed: string;
  /** First case, and the one after the last. */
  readonly from: number;
  readonly until: number;
  readonly root: string;
  /** Faults after which a run ends: one kind of fault tends to show in thousands of cases. Default 20. */
  readonly maxFaults?: number;
}

const WATCH_MS = 500;

/** The root of the repository this is part of. */
export const repositoryRoot = (): string => fileURLToPath(new URL('../../..', import.meta.url));

/** Runs cases of a generator; a case that hangs or takes its thread down is counted, and the next one is tried. */
export async function runGenerator(generator: Generator, options: RunOptions): Promise<GeneratorReport> {
  const { seed, root } = options;
  const outcomes: Record<string, number> = {};
  const faults: FoundFault[] = [];
  const memory: MemoryMark[] = [];
  let slowest = { caseNumber: options.from, ms: 0 };
  const start = performance.now();
  const scratch = await realpath(await mkdtemp(join(tmpdir(), `hostile-${generator.name}-`)));

  function receive(message: WorkerMessage): void {
    switch (message.kind) {
      case 'counts':
        for (const [outcome, count] of Object.entries(message.outcomes))
          outcomes[outcome] = (outcomes[outcome] ?? 0) + count;
        if (message.slowest.ms > slowest.ms) slowest = message.slowest;
        return;
      case 'fault':
        faults.push(message);
        return;
      case 'memory':
        memory.push(message);
    }
  }

  let from = options.from;
  const enough = (): boolean => faults.length >= (options.maxFaults ?? 20);
  try {
    while (from < options.until && !enough()) {
      const order = {
        name: generator.name,
        seed,
        from,
        until: options.until,
        surroundings: { root, scratch },
      };
      const end = await runThread(order, generator.caseLimitMs, receive, enough);
      if (end === null) break;
      faults.push(end);
      from = end.caseNumber + 1;
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  const counted = Object.values(outcomes).reduce((sum, count) => sum + count, faults.length);
  return {
    name: generator.name,
    seed,
    cases: counted,
    seconds: (performance.now() - start) / 1000,
    outcomes,
    faults,
    slowest,
    memory,
    growth: memoryGrowth(memory),
  };
}

/** Null when every case was tried, else the case that ended the thread. */
function runThread(
  order: Omit<WorkerOrder, 'current'>,
  caseLimitMs: number,
  receive: (message: WorkerMessage) => void,
  enough: () => boolean,
): Promise<FoundFault | null> {
  const current = new SharedArrayBuffer(8);
  const view = new Int32Array(current);
  Atomics.store(view, 0, order.from);
  const workerData: WorkerOrder = { ...order, current };
  const worker = new Worker(new URL('./case-worker.js', import.meta.url), {
    workerData,
    trackUnmanagedFds: false,
  });
  return new Promise((resolve) => {
    let begun = -1;
    let since = performance.now();
    let isOver = false;
    const finish = (result: FoundFault | null): void => {
      if (isOver) return;
      isOver = true;
      clearInterval(watch);
      void worker.terminate().then(() => resolve(result));
    };
    const fault = (problem: string): FoundFault => ({ caseNumber: Atomics.load(view, 0), problem });
    const watch = setInterval(() => {
      const now = Atomics.load(view, 1);
      if (now !== begun) {
        begun = now;
        since = performance.now();
      } else if (performance.now() - since > caseLimitMs) {
        finish(fault(`hang: no end after ${caseLimitMs} ms`));
      }
    }, WATCH_MS);
    worker.on('message', (message: WorkerMessage) => {
      receive(message);
      if (enough()) finish(null);
    });
    worker.once('error', (error) => finish(fault(`uncaught: ${error.stack ?? error.message}`)));
    worker.once('exit', (code) => finish(code === 0 ? null : fault(`the thread ended with code ${code}`)));
  });
}
