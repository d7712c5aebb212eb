export { precompileDriver } from './component-runtime.js';
export { runCapsule } from './run-capsule.js';
export type {
  ExitStatus,
  RunFlags,
  RunObserver,
  RunOptions,
  RunResult,
  RuntimeFiles,
  SessionFacts,
} from './types.js';
