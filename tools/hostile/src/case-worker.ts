// Tries a range of cases in a thread of its own, so that a case which never returns can be ended from outside.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { generators } from './generators.js';
import { refuseSharedKeys } from './outcome.js';
import { createRandom } from './random.js';
import type { WorkerMessage, WorkerOrder } from './run-generator.js';

const MIB = 1024 * 1024;
const SLICE_MS = 250;

async function main(order: WorkerOrder, post: (message: WorkerMessage) => void): Promise<void> {
  const generator = generators.find(({ name }) => name === order.name);
  if (generator === undefined) throw new Error(`no generator is called ${order.name}`);
  const current = new Int32Array(order.current);
  const marks = new Set([1, 2, 3, 4].map((quarter) => Math.floor((order.until * quarter) / 4)));
  await using open = await generator.open(order.surroundings);
  let outcomes: Record<string, number> = {};
  let slowest = { caseNumber: order.from, ms: 0 };
  let posted = performance.now();
  const report = (): void => {
    post({ kind: 'counts', outcomes, slowest });
    outcomes = {};
    posted = performance.now();
  };
  for (let caseNumber = order.from; caseNumber < order.until; caseNumber += 1) {
    Atomics.store(current, 0, caseNumber);
    Atomics.add(current, 1, 1);
    const start = performance.now();
    try {
      const outcome = await open.tryCase(createRandom(`${order.seed}/${order.name}/${caseNumber}`));
      refuseSharedKeys();
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    } catch (error) {
      post({ kind: 'fault', caseNumber, problem: problemOf(error) });
    }
    const ms = performance.now() - start;
    if (ms > slowest.ms) slowest = { caseNumber, ms };
    if (performance.now() - posted > SLICE_MS) {
      report();
      // Timers and streams that a case left behind get their turn, as they would in a living process.
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (marks.has(caseNumber + 1)) {
      await settle();
      post({
        kind: 'memory',
        caseNumber: caseNumber + 1,
        residentMib: Math.round(process.memoryUsage.rss() / MIB),
      });
    }
  }
  report();
}

function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return `${typeof error} thrown: ${String(error)}`;
  const cause = error.cause instanceof Error ? `\ncaused by ${error.cause.stack ?? error.cause.message}` : '';
  const lines = `${error.stack ?? error.message}${cause}`.slice(0, 200_000).split('\n');
  return lines
    .map((line) => line.slice(0, 400))
    .slice(0, 30)
    .join('\n');
}

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

/** Memory is measured with the garbage gone: what is left is held. */
async function settle(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    if (typeof collect === 'function') collect();
  }
}

const port = parentPort;
if (port !== null) await main(workerData as WorkerOrder, (message) => port.postMessage(message));
