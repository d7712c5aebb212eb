import type { LaunchPlan } from './contract.js';

/**
 * The harness's whole environment: the granted names, then what the plan sets, in order. Built from nothing, so no
 * variable of the runtime's own reaches a harness.
 */
export function harnessEnvironment(
  granted: Readonly<Record<string, string>>,
  envSet: LaunchPlan['envSet'],
): Readonly<Record<string, string>> {
  return Object.fromEntries(new Map([...Object.entries(granted), ...envSet]));
}
