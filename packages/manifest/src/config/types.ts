import type { ContainmentFloor, KeyUse, Positions } from '../types.js';

/** Which of the two configuration files a text is. */
export type ConfigLayerName = 'global' | 'project';

/** Where artifacts may be installed from. */
export interface ArtifactSource {
  readonly name: string;
  readonly type: 'github';
  /** `owner/repo`. */
  readonly repo?: string | undefined;
  readonly url?: string | undefined;
  /** `${NAME}`, the name of a variable, or the token itself. Treat it as a secret. */
  readonly token?: string | undefined;
}

/** A host directory that the operator grants to every contained capsule. */
export interface HostPath {
  readonly path: string;
  readonly access: 'read' | 'read-write';
}

/** One configuration file, or both merged. Absent keys are `undefined` or empty. */
export interface Config {
  readonly registry: {
    readonly default?: string | undefined;
    readonly indexUrl?: string | undefined;
    readonly sources: readonly ArtifactSource[];
  };
  readonly inference: {
    readonly provider?: 'anthropic' | 'openai' | undefined;
    readonly model?: string | undefined;
    readonly apiKey?: string | undefined;
    readonly endpoint?: string | undefined;
  };
  /** Keys by name. Treat the values as secrets. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly spend: { readonly machineTokensPerDay?: number | undefined };
  readonly containment?: ContainmentFloor | undefined;
  readonly beta: { readonly enabled: readonly string[] };
  readonly hostPaths: readonly HostPath[];
}

/** A key of a configuration file that was left out, and why. */
export interface IgnoredKey extends KeyUse {
  readonly reason: string;
}

/** A configuration file and what its reader has to say about it. */
export interface ConfigReading {
  readonly config: Config;
  /** Keys that are unknown, or that only the global file may hold: callers show them. */
  readonly ignored: readonly IgnoredKey[];
  /** Keys that ask for what this build does not serve. */
  readonly unserved: readonly KeyUse[];
  /** Keys whose restriction does not bind yet. */
  readonly unenforced: readonly KeyUse[];
  readonly positions: Positions;
}
