import type { ComponentLimits } from './types.js';

/** The one place that holds the defaults of this package. */
export const defaults = {
  memoryBytes: 512 * 1024 * 1024,
  tableElements: 100_000,
  instances: 1_000,
  transpileTimeoutMs: 60_000,
  startTimeoutMs: 30_000,
  /** Largest component that is looked at. */
  componentBytes: 48 * 1024 * 1024,
  /** Ceiling on all files of one compiled form. */
  compiledBytes: 256 * 1024 * 1024,
  compiledFiles: 4_096,
  /** JavaScript heap of a guest process. */
  guestHeapBytes: 512 * 1024 * 1024,
  /**
   * What a guest process may hold beside its linear memory: its heap, frames, compiled code. Recent versions of Node
   * map 512 MiB for code as writable from the start, all of which counts.
   */
  guestDataBytes: 1280 * 1024 * 1024,
  transpileDataBytes: 3 * 1024 * 1024 * 1024,
} as const;

export const PAGE_BYTES = 65_536;

export type EffectiveLimits = Required<ComponentLimits>;

export function effectiveLimits(limits: ComponentLimits | undefined): EffectiveLimits {
  return {
    memoryBytes: limits?.memoryBytes ?? defaults.memoryBytes,
    tableElements: limits?.tableElements ?? defaults.tableElements,
    instances: limits?.instances ?? defaults.instances,
  };
}

/** What a run of a prepared component may ask for: less than it was prepared with, never more. */
export function narrowedLimits(
  limits: ComponentLimits | undefined,
  prepared: EffectiveLimits,
): EffectiveLimits {
  return {
    memoryBytes: Math.min(limits?.memoryBytes ?? prepared.memoryBytes, prepared.memoryBytes),
    tableElements: Math.min(limits?.tableElements ?? prepared.tableElements, prepared.tableElements),
    instances: Math.min(limits?.instances ?? prepared.instances, prepared.instances),
  };
}

export function memoryPages(limits: EffectiveLimits): number {
  return Math.floor(limits.memoryBytes / PAGE_BYTES);
}
