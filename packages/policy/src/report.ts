import type { ContainmentClass } from '@murmur/errors';
import type { CapsuleManifest } from '@murmur/manifest';
import { formatNetworkRule } from './network-rule.js';
import type { EffectiveGrants } from './resolve-grants.js';

/**
 * The effective grants as `session_start` records them. Keys
 * are part of the output format. Names only: never a value of a variable, never a key.
 */
export interface GrantsReport {
  readonly declared_containment: ContainmentClass;
  readonly achieved_containment: ContainmentClass;
  readonly floor_met: boolean;
  readonly shortfall_reason?: string;
  readonly enforcement_tier: string;
  readonly userns_grant: string | null;
  readonly filesystem_scope: string | null;
  readonly workdir_exec: boolean;
  readonly read_only_paths: readonly string[];
  readonly read_only_advisory_for: readonly string[];
  readonly network_allow: readonly string[];
  readonly unix_sockets: boolean;
  readonly shell_allow: readonly string[];
  readonly spawn_allow: readonly string[];
  readonly env_allow: readonly string[];
  readonly install_skill: readonly string[];
  readonly install_tool: readonly string[];
  readonly interpreter_runtime_grants: readonly string[];
  readonly staged_runtime_grants: readonly string[];
  readonly preopens: readonly object[];
  readonly state_stores: readonly {
    readonly artifact: string;
    readonly store: string;
    readonly path: string;
  }[];
  readonly configured_artifacts: readonly string[];
  readonly exports_files: object | null;
  readonly peer_files: object | null;
  readonly peer_tasks: boolean;
  readonly peer_fetch_allow: readonly string[];
  readonly runtime_writes: readonly object[];
  readonly filesystem_boundary: {
    readonly restriction: 'advisory' | 'enforced' | 'absent';
    readonly not_protected: readonly string[];
  };
  readonly io_max: {
    readonly declared_bytes_per_sec: number;
    readonly status: 'enforced' | 'unavailable' | 'not-required' | 'not-probed';
    readonly reason?: string;
  };
}

/** Puts the report of effective grants together. Implements docs/spec/policy.md, "Report". */
export function grantsReport(
  grants: Omit<EffectiveGrants, 'report'>,
  manifest: CapsuleManifest,
): GrantsReport {
  const { containment, filesystem, network, env } = grants;
  const { capabilities } = manifest;
  const shell = capabilities.shell;
  return {
    declared_containment: containment.declared,
    achieved_containment: containment.achieved,
    floor_met: containment.floorMet,
    ...(containment.shortfall === null ? {} : { shortfall_reason: containment.shortfall }),
    enforcement_tier: containment.enforcementTier,
    userns_grant: null,
    filesystem_scope: capabilities.filesystem.scope === undefined ? null : filesystem.scope,
    workdir_exec: filesystem.workdirExec,
    read_only_paths: filesystem.readOnly,
    read_only_advisory_for: [],
    network_allow: network.allow.map(formatNetworkRule),
    unix_sockets: network.unixSockets,
    shell_allow: shell?.allow ?? [],
    spawn_allow: capabilities.spawn.allow,
    env_allow: env.allow,
    install_skill: capabilities.install?.skill ?? [],
    install_tool: capabilities.install?.tool ?? [],
    interpreter_runtime_grants: (shell?.interpreterRuntime ?? []).flatMap(({ binary, dirs }) =>
      dirs.map(({ path, listDir }) => `${binary}: ${path}${listDir ? ' (list_dir)' : ''}`),
    ),
    staged_runtime_grants: (shell?.stagedRuntime ?? []).map(
      ({ binary, sourcePath, pin }) => `${binary}: ${sourcePath} (pin: ${pin})`,
    ),
    preopens: [],
    state_stores: grants.stateStores,
    configured_artifacts: manifest.artifacts
      .filter(({ config }) => config !== undefined)
      .map(({ name }) => name),
    exports_files: manifest.exports?.files ?? null,
    peer_files: manifest.exports?.peerFiles ?? null,
    peer_tasks: manifest.exports?.peerTasks?.accept ?? false,
    peer_fetch_allow: grants.peerFetch.map(formatNetworkRule),
    runtime_writes: [],
    filesystem_boundary: {
      restriction: containment.achieved === 'advisory' ? 'advisory' : 'enforced',
      not_protected:
        containment.achieved === 'advisory'
          ? ['everything that the user running mur may read or write is within reach of the capsule']
          : [],
    },
    io_max: {
      declared_bytes_per_sec: capabilities.resources.cgroupIoBytesPerSec,
      status: 'not-probed',
    },
  };
}
