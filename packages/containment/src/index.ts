export { openJail } from './jail.js';
export { probe } from './probe.js';
export { spawnRequestProblem } from './spawn-request.js';
export type {
  ContainmentOptions,
  ExitRecord,
  HostProbe,
  Jail,
  JailedProcess,
  JailGrants,
  JailSpec,
  ProbeOptions,
  ProcessLimits,
  SpawnRequest,
} from './types.js';
