import { guestBench } from './bench-guest.js';
import { parseBench } from './bench-parse.js';
import { runBench } from './bench-run.js';
import { spawnBench } from './bench-spawn.js';
import { startBench } from './bench-start.js';
import type { Bench } from './types.js';

/** Every bench, in the order it runs. */
export const benches: readonly Bench[] = [startBench, runBench, parseBench, guestBench, spawnBench];
