import { manifestDefaults } from './defaults.js';

/**
 * What this build does with a key of a capsule manifest:
 * `served`: it takes effect; `no effect`: accepted by the specification and without effect here;
 * `not served`: it asks for a feature that does not exist yet, so a launch is refused;
 * `not enforced`: it restricts something and does not bind yet, so every launch warns.
 */
export type KeyStateName = 'served' | 'no effect' | 'not served' | 'not enforced';

/** The state of a key and of everything below it. */
export interface KeyState {
  readonly state: KeyStateName;
  /** Whether a value that is present asks for anything; absent = any value does. */
  readonly asks?: (value: unknown) => boolean;
  /** The one value that is served, as the reference shows it. */
  readonly quiet?: string;
  /** Leaving the key out asks as well. */
  readonly whenAbsent?: true;
}

const served: KeyState = { state: 'served' };
const noEffect: KeyState = { state: 'no effect' };
const notServed: KeyState = { state: 'not served' };
const notEnforced: KeyState = { state: 'not enforced' };

const unless = (quiet: string | number | boolean): KeyState => ({
  state: 'not served',
  asks: (value) => value !== quiet,
  quiet: String(quiet),
});
const filled = (value: unknown): boolean => Array.isArray(value) && value.length > 0;
const notServedList: KeyState = { state: 'not served', asks: filled };
const notEnforcedList: KeyState = { state: 'not enforced', asks: filled };

const { context, inference, lifecycle } = manifestDefaults;

/**
 * The state of every key, by dotted path (`[]` for the elements of a list). Serving a feature is a change of
 * its lines here and nowhere else.
 */
export const keyStates: Readonly<Record<string, KeyState>> = {
  name: served,
  version: served,
  mur_version: served,

  'artifacts[].name': served,
  'artifacts[].version': served,
  'artifacts[].runtime': { ...unless('driver'), whenAbsent: true },
  'artifacts[].source': notServed,
  'artifacts[].local_source': unless(false),
  'artifacts[].prompt_payload': unless(false),
  'artifacts[].capabilities': notServed,
  'artifacts[].config': notServed,
  'artifacts[].gateway': notServed,
  'artifacts[].on_overflow': unless('drop'),

  'capabilities.network.allow': notEnforced,
  'capabilities.network.unix_sockets': notEnforced,
  'capabilities.peer_fetch.allow': notServed,
  'capabilities.filesystem.scope': notEnforced,
  'capabilities.filesystem.read_only': notEnforcedList,
  'capabilities.filesystem.exec_trees': notServedList,
  'capabilities.filesystem.workdir_exec': served,
  'capabilities.shell.allow': notServed,
  'capabilities.shell.strip_env': notServedList,
  'capabilities.shell.baseline_env': notServed,
  'capabilities.shell.interpreter_runtime': notServedList,
  'capabilities.shell.staged_runtime': notServedList,
  'capabilities.env.allow': served,
  'capabilities.spawn.allow': notServedList,
  'capabilities.spawn.workdir_snapshot': notServedList,
  'capabilities.install.skill': notServedList,
  'capabilities.install.tool': notServedList,
  'capabilities.install.from': notServed,
  'capabilities.plan.submit': unless(false),
  'capabilities.harness.paths': notEnforcedList,
  'capabilities.limits.memory_bytes': notEnforced,
  'capabilities.limits.table_elements': notEnforced,
  'capabilities.limits.instances': notEnforced,
  'capabilities.limits.deadline_seconds': notEnforced,
  'capabilities.resources.max_processes': served,
  'capabilities.resources.max_open_files': served,
  'capabilities.resources.max_file_size_bytes': served,
  'capabilities.resources.cpu_seconds': served,
  'capabilities.resources.memory_bytes': notEnforced,
  'capabilities.resources.cgroup_memory_bytes': notEnforced,
  'capabilities.resources.cgroup_pids_max': notEnforced,
  'capabilities.resources.cgroup_cpu_percent': notEnforced,
  'capabilities.resources.cgroup_io_bytes_per_sec': notEnforced,
  'capabilities.resources.workdir_max_bytes': notEnforced,
  'capabilities.containment': served,
  'capabilities.state': noEffect,
  'capabilities.task_io': noEffect,
  'capabilities.conversation': noEffect,

  'network.internal_port': notServed,
  'network.authentication': notServed,

  'context.max_tokens': notServed,
  'context.seed_budget': unless(context.seedBudget),
  'context.seed_overflow_margin': unless(context.seedOverflowMargin),
  'context.record': served,
  'context.record_store': served,
  'context.retain': notServed,
  'context.images': notServed,

  'observability.otel_endpoint': { state: 'not served', asks: (value) => value !== undefined },
  'observability.eval': notServed,

  'trace.capture': unless(manifestDefaults.traceCapture),
  'trace.include_tool_output': unless(false),
  'trace.retain': notServed,

  inference: { ...served, whenAbsent: true },
  'inference.transport': { ...unless('process'), whenAbsent: true },
  'inference.model': served,
  'inference.driver': served,
  'inference.provider': served,
  'inference.command': served,
  'inference.max_turns': served,
  'inference.max_tokens': notServed,
  'inference.max_session_tokens': notServed,
  'inference.tool_refresh': unless(inference.toolRefresh),
  'inference.alternates': notServedList,
  'inference.system_prompt': served,
  'inference.system_prompt_file': served,
  'inference.system_prompt_artifact': notServed,
  'inference.compaction': notServed,

  'lifecycle.task_acceptance': unless(lifecycle.taskAcceptance),
  'lifecycle.after_task': unless(lifecycle.afterTask),
  'lifecycle.queue_depth': unless(lifecycle.queueDepth),
  'lifecycle.input_timeout_secs': notServed,
  'lifecycle.conversation': served,
  'lifecycle.max_task_reopens': unless(lifecycle.maxTaskReopens),
  'lifecycle.shell_grace_secs': unless(lifecycle.shellGraceSecs),
  'lifecycle.delegation_deadline_secs': unless(lifecycle.delegationDeadlineSecs),
  'lifecycle.deadline_notice_secs': notServed,
  'lifecycle.keep_working': notServed,
  'lifecycle.done_check': notServed,

  'exports.files': notServed,
  'exports.peer_files': notServed,
  'exports.peer_tasks.accept': unless(false),

  'control.settings': notServedList,
  'control.secrets': notServedList,
  'control.agent_settings': notServedList,

  // One file may be both manifests: these belong to the other one.
  runtime: noEffect,
  implementation: noEffect,
  execution: noEffect,
  requires_files: noEffect,
  description: noEffect,
  tags: noEffect,
  input_schema: noEffect,
  input: noEffect,
  output_schema: noEffect,
  upstream_auth: noEffect,
  inference_auth: noEffect,
  binding: noEffect,
  execution_mode: noEffect,
  commit_policy: noEffect,
  programs: noEffect,
};
