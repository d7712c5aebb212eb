import { deepFreeze } from '../deep-freeze.js';
import { builtInSource } from '../defaults.js';
import type { ContainmentFloor } from '../types.js';
import type { ArtifactSource, Config } from './types.js';

const STRENGTH: readonly ContainmentFloor[] = ['advisory', 'scoped', 'sealed'];

/** What holds while no global file exists. */
export const builtInConfig: Config = deepFreeze({
  registry: { default: builtInSource.name, sources: [builtInSource] },
  inference: {},
  credentials: {},
  spend: {},
  beta: { enabled: [] },
  hostPaths: [],
});

/**
 * The configuration that holds, from the two files (`null` = there is none). A project may choose and add; it
 * may raise the containment floor and lower the spend ceiling, never the other way round; keys and host
 * directories come from the global file alone. Spec: manifest, configuration.
 */
export function mergeConfig(global: Config | null, project: Config | null): Config {
  const base = global ?? builtInConfig;
  if (project === null) return base;
  return deepFreeze({
    registry: {
      default: project.registry.default ?? base.registry.default,
      indexUrl: project.registry.indexUrl ?? base.registry.indexUrl,
      sources: mergedSources(base.registry.sources, project.registry.sources),
    },
    inference: {
      provider: project.inference.provider ?? base.inference.provider,
      model: project.inference.model ?? base.inference.model,
      apiKey: base.inference.apiKey,
      endpoint: project.inference.endpoint ?? base.inference.endpoint,
    },
    credentials: base.credentials,
    spend: { machineTokensPerDay: lowest(base.spend.machineTokensPerDay, project.spend.machineTokensPerDay) },
    containment: strongestFloor([base.containment, project.containment]),
    beta: { enabled: [...new Set([...base.beta.enabled, ...project.beta.enabled])] },
    hostPaths: base.hostPaths,
  });
}

/** The strongest of several floors; `undefined` when none is set. */
export function strongestFloor(
  floors: readonly (ContainmentFloor | undefined)[],
): ContainmentFloor | undefined {
  return STRENGTH.findLast((floor) => floors.includes(floor));
}

function mergedSources(
  base: readonly ArtifactSource[],
  project: readonly ArtifactSource[],
): readonly ArtifactSource[] {
  const replaced = base.map((source) => project.find((other) => other.name === source.name) ?? source);
  const added = project.filter((source) => !base.some((other) => other.name === source.name));
  return [...replaced, ...added];
}

function lowest(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}
