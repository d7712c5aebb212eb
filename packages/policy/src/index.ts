export {
  type ContainmentDecision,
  decideContainment,
  type FloorOptions,
  type HostFacts,
  requireFloor,
  strongerClass,
} from './containment-floor.js';
export type { ConversationRecord } from './declarations.js';
export {
  buildEnvironment,
  credentialBackstop,
  type EnvironmentGrant,
  looksLikeCredential,
  runtimeVariables,
} from './environment.js';
export {
  examineHarnessNeeds,
  type HarnessDescription,
  type HarnessDirectoryGrant,
  type HarnessNeeds,
  type HarnessNeedsOptions,
  type HarnessReport,
  type NeedStatus,
  resolveHarnessNeeds,
} from './harness-needs.js';
export { matchesPattern } from './name-pattern.js';
export {
  coversNetworkRule,
  formatNetworkRule,
  type NetworkEntryReading,
  type NetworkRule,
  networkEntryProblem,
  parseNetworkEntry,
} from './network-rule.js';
export type { GrantsReport } from './report.js';
export {
  type EffectiveGrants,
  type ResolvedGrants,
  type ResolveGrantsOptions,
  resolveGrants,
} from './resolve-grants.js';
