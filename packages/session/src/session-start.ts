import { createHash } from 'node:crypto';
import type { TraceEvents } from '@murmur/trace';
import type { StagedCapsule } from './stage.js';
import type { RunOptions } from './types.js';

/** The payload of `session_start`: what was decided for this session, once. Names only, never a value. */
export function sessionStart(staged: StagedCapsule, options: RunOptions): TraceEvents['session_start'] {
  const { manifest, systemPrompt } = staged;
  const digest =
    systemPrompt.text === null ? null : createHash('sha256').update(systemPrompt.text).digest('hex');
  return {
    capsule_name: manifest.name,
    capsule_version: manifest.version,
    model: manifest.inference?.model ?? '',
    max_turns: manifest.inference?.maxTurns ?? 0,
    max_session_tokens: null,
    machine_tokens_per_day: null,
    capabilities: [],
    tools_declared: [],
    tool_refresh: null,
    runtime_artifacts: [],
    containment_declared: staged.grants.containment.declared,
    containment_achieved: staged.grants.containment.achieved,
    userns_grant: null,
    workdir_exec: manifest.capabilities.filesystem.workdirExec,
    resumed_from: null,
    context_id: options.flags.context ?? null,
    system_prompt_source: systemPrompt.source,
    credential_source: 'none',
    gateways: [],
    system_prompt_sha256: digest,
    effective_grants: { ...staged.grants.report, harness: staged.harness },
  };
}
