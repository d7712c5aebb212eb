export { median, type Paired, pairedRuns } from './measure.js';
export { benches } from './registry.js';
export type { Bench, BenchContext, BenchRow } from './types.js';
