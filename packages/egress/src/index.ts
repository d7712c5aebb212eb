export { type Address, parseAddress } from './address.js';
export { type AddressClass, classifyAddress } from './address-class.js';
export { createEgress } from './create-egress.js';
export { DEFAULT_EGRESS_LIMITS } from './defaults.js';
export { listeningPorts, type RuleMatcher } from './rules.js';
export { httpHost, tlsServerName } from './stated-name.js';
export type {
  ConnectionAttempt,
  ConnectionEnd,
  Egress,
  EgressEvent,
  EgressLimits,
  EgressOptions,
  EgressRule,
  ListedName,
  NameAnswer,
  NameResolver,
  RefusalReason,
  Verdict,
} from './types.js';
