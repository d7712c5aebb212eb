import { sha256Hex } from './cache/cache-manifest.js';
import type { EffectiveLimits } from './limits.js';

/** What decides the compiled form beside the component: a change of any part makes new entries. */
export const toolchain = {
  /** Format of an entry and of the options given to the transpiler. */
  format: 1,
  /** The installed version of `@bytecodealliance/jco-transpile`. */
  transpiler: '0.15.0',
} as const;

/** Name of the entry for a component under certain limits. */
export function cacheKey(componentSha256: string, limits: EffectiveLimits): string {
  const context = JSON.stringify([toolchain, limits.memoryBytes, limits.tableElements]);
  return `${componentSha256}-${sha256Hex(Buffer.from(context)).slice(0, 16)}`;
}
