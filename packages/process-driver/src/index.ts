export { descriptionProblem, type NetworkEntryCheck } from './check-description.js';
export { checkHarnessLogin } from './check-login.js';
export { planProblem } from './check-plan.js';
export type {
  DriverDescription,
  DriverEvent,
  DriverInstance,
  ExitStatus,
  FailureKind,
  LaunchPlan,
  LaunchRequest,
  LoginState,
  PathNeed,
  QuotaWindow,
  Usage,
} from './contract.js';
export { processInterfacePrefix, servedInterface } from './limits.js';
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
  HarnessBinary,
  HarnessVersion,
  LoadDriverOptions,
  LoadedDriver,
  LoginCheckOptions,
  LoginReport,
  ProbeOptions,
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
} from './types.js';
export { createUsageLedger, type UsageLedger } from './usage.js';
