import { type ContainmentClass, MurmurError, type WarningCondition } from '@murmur/errors';
import { type CapsuleManifest, layout } from '@murmur/manifest';
import {
  type ContainmentDecision,
  decideContainment,
  type HostFacts,
  requireFloor,
} from './containment-floor.js';
import {
  type ConversationRecord,
  checkArtifactConfigs,
  checkToolNames,
  conversationRecord,
  filesystemScope,
  networkRules,
  readOnlyPaths,
  stateStores,
} from './declarations.js';
import { type EnvironmentGrant, looksLikeCredential, strippedBy } from './environment.js';
import { deepFreeze } from './freeze.js';
import type { NetworkRule } from './network-rule.js';
import { type GrantsReport, grantsReport } from './report.js';

/** Everything that was decided about what a run may reach. Frozen plain data, computed once. */
export interface EffectiveGrants {
  readonly containment: ContainmentDecision;
  readonly network: { readonly allow: readonly NetworkRule[]; readonly unixSockets: boolean };
  readonly peerFetch: readonly NetworkRule[];
  readonly filesystem: {
    /** Relative to the workdir; `.` for all of it. */
    readonly scope: string;
    /** Relative to the workdir; `.` protects all of it. */
    readonly readOnly: readonly string[];
    readonly workdirExec: boolean;
  };
  readonly env: EnvironmentGrant;
  readonly stateStores: readonly {
    readonly artifact: string;
    readonly store: string;
    readonly path: string;
  }[];
  readonly conversation: ConversationRecord;
  readonly report: GrantsReport;
}

/** What grants are resolved from. Nothing else is read: no file, no environment, no clock. */
export interface ResolveGrantsOptions {
  readonly manifest: CapsuleManifest;
  /** The manifest's path, for messages. */
  readonly manifestFile: string;
  /** The environment of `mur`; only names are looked at here. */
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  /** Absolute home directory of the user who runs `mur`. */
  readonly home: string;
  readonly probe: HostFacts;
  /** The floor of the effective configuration, where there is one. */
  readonly configuredContainment?: ContainmentClass | null;
  readonly flags: {
    readonly containment: ContainmentClass | null;
    readonly context: string | null;
  };
  /** A report is made of an unmet floor instead of a refusal. Default: false. */
  readonly reportUnmetFloor?: boolean;
}

/** The decision, and what a person should know about it. */
export interface ResolvedGrants {
  readonly grants: EffectiveGrants;
  readonly warnings: readonly WarningCondition[];
}

/**
 * Decides what a run may reach: nothing declared is nothing granted. The first declaration that cannot
 * be honoured is refused, in this order: `E-CAP-013` reserved names, `E-CAP-001` network entries,
 * `E-CAP-002` scopes, `E-CAP-012` read-only entries, `E-CAP-010` artifact configuration, `E-CAP-009`
 * state stores, `E-CAP-011` record names, `E-CAP-016` variables that are always removed, `E-CAP-003`
 * containment floor, `E-CAP-004` staged runtimes. Implements docs/spec/policy.md, "Check order".
 */
export function resolveGrants(options: ResolveGrantsOptions): ResolvedGrants {
  const { manifest, home, probe, flags } = options;
  const { artifacts, capabilities } = manifest;

  checkToolNames(artifacts);
  const network = networkRules(capabilities.network.allow);
  const peerFetch = networkRules(capabilities.peerFetch?.allow ?? []);
  for (const artifact of artifacts) networkRules(artifact.capabilities?.network?.allow ?? []);
  const scope = filesystemScope(capabilities.filesystem.scope);
  for (const artifact of artifacts) filesystemScope(artifact.capabilities?.filesystem?.scope);
  const readOnly = readOnlyPaths(capabilities.filesystem.readOnly);
  checkArtifactConfigs(artifacts);
  const stores = stateStores(manifest);
  const conversation = conversationRecord(manifest, flags.context);
  const env: EnvironmentGrant = {
    allow: [...new Set(capabilities.env.allow)],
    strip: capabilities.shell?.stripEnv ?? [],
  };
  checkEnvironment(env);
  const containment = decideContainment({
    floors: [capabilities.containment, options.configuredContainment, flags.containment],
    workdirExec: capabilities.filesystem.workdirExec,
    host: probe,
  });
  if (options.reportUnmetFloor !== true) requireFloor(containment);
  checkStagedRuntimes(manifest, containment);

  const decided: Omit<EffectiveGrants, 'report'> = {
    containment,
    network: { allow: network, unixSockets: capabilities.network.unixSockets },
    peerFetch,
    filesystem: { scope, readOnly, workdirExec: capabilities.filesystem.workdirExec },
    env,
    stateStores: stores.map(({ artifact, store }) => ({
      artifact,
      store,
      path: layout(home).state(store),
    })),
    conversation,
  };
  return deepFreeze({
    grants: { ...decided, report: grantsReport(decided, manifest) },
    warnings: grantWarnings(manifest, env),
  });
}

function checkEnvironment(env: EnvironmentGrant): void {
  const entries = env.allow.flatMap((name) => strippedBy(name, env.strip) ?? []);
  if (entries.length > 0) throw new MurmurError({ variant: 'EnvAllowStrippedByBackstop', entries });
}

function checkStagedRuntimes(manifest: CapsuleManifest, { declared }: ContainmentDecision): void {
  const binaries = (manifest.capabilities.shell?.stagedRuntime ?? []).map(({ binary }) => binary);
  if (binaries.length > 0 && declared !== 'sealed') {
    throw new MurmurError({
      variant: 'StagedRuntimeRequiresSealed',
      binaries: [...new Set(binaries)],
      declared,
    });
  }
}

function grantWarnings(manifest: CapsuleManifest, env: EnvironmentGrant): WarningCondition[] {
  const clause =
    manifest.lifecycle.afterTask === 'sleep'
      ? 'the capsule sleeps, so it keeps the value between tasks'
      : null;
  return [
    ...(manifest.capabilities.filesystem.workdirExec ? [{ code: 'W-SEC-011' } as const] : []),
    ...env.allow
      .filter(looksLikeCredential)
      .map((name): WarningCondition => ({ code: 'W-SEC-024', name, clause })),
  ];
}
