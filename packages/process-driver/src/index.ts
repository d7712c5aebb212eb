export { checkHarnessLogin } from './check-login.js';
export { loadProcessDriver, mayImport } from './load-driver.js';
export { probeHarnessVersion } from './probe-version.js';
export { createQuotaWindows, type QuotaWindows } from './quota.js';
export { resolveHarnessBinary } from './resolve-binary.js';
export { runTurn } from './run-turn.js';
export { createSessionMap } from './session-map.js';
export { systemClock } from './system-clock.js';
export type {
  Clock,
  CommandContext,
  DriverDescription,
  DriverEvent,
  DriverInstance,
  ExitStatus,
  FailureKind,
  HarnessBinary,
  HarnessVersion,
  LaunchPlan,
  LaunchRequest,
  LoadDriverOptions,
  LoadedDriver,
  LoginCheckOptions,
  LoginReport,
  LoginState,
  PathNeed,
  ProbeOptions,
  QuotaWindow,
  ResolveBinaryOptions,
  SessionMap,
  SessionMapOptions,
  SessionPlan,
  SessionPlanRequest,
  StreamFrame,
  TurnOptions,
  TurnOutcome,
  TurnRecord,
  TurnReport,
  Usage,
} from './types.js';
