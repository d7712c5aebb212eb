export { readNames } from './binary/component-names.js';
export { ComponentFailure, GuestRefusal } from './failures.js';
export { createComponentRuntime } from './runtime.js';
export type {
  ComponentFailureKind,
  ComponentLimits,
  ComponentNames,
  ComponentRuntime,
  ComponentRuntimeOptions,
  Guest,
  GuestsAhead,
  PreparedComponent,
} from './types.js';
