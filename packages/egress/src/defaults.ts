import type { EgressLimits } from './types.js';

/** The ceilings of a session unless it is given others. */
export const DEFAULT_EGRESS_LIMITS: EgressLimits = Object.freeze({
  connections: 128,
  toldRefusals: 32,
  questionsPerSecond: 100,
  pendingQuestions: 128,
  resolveMs: 5_000,
  bindingMs: 300_000,
  bindings: 4_096,
  shortestTtlSeconds: 5,
  longestTtlSeconds: 60,
  addressesPerAnswer: 16,
});

/** What refusals name unless told otherwise. */
export const DEFAULT_KEY = 'capabilities.network.allow';
