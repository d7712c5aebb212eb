export { precompileDriver } from './component-runtime.js';
export { diagnoseProject } from './doctor/diagnose-project.js';
export type {
  DoctorBlock,
  DoctorOptions,
  DoctorReport,
  DoctorRow,
  DoctorStatus,
} from './doctor/types.js';
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
