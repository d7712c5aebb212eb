/**
 * What each event of `trace.jsonl` carries besides the five keys that every line begins with. Members
 * marked optional are left out when they are not known: an absent count is not zero. Implements
 * docs/spec/session.md, "Trace".
 */
export interface TraceEvents {
  readonly session_start: SessionStart;
  readonly session_end: {
    readonly total_turns: number;
    readonly total_input_tokens: number;
    readonly total_output_tokens: number;
    readonly total_tool_calls: number;
    readonly total_shell_calls: number;
    readonly duration_ms: number;
    readonly exit_status: ExitStatus;
  };
  readonly task_start: {
    readonly task_id: string;
    readonly context_id: string;
    readonly source: TaskSource;
    readonly origin: string;
    readonly trust: string;
    readonly lane: string;
    readonly message_parts_bytes: number;
    readonly reference_task_ids?: readonly string[];
  };
  readonly task_end: {
    readonly task_id: string;
    readonly exit_status: ExitStatus;
    readonly duration_ms: number;
    readonly turns: number;
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly tool_calls: number;
    readonly shell_calls: number;
    readonly reopen_count: number;
  };
  readonly task_failed: {
    readonly task_id?: string;
    readonly turn?: number;
    readonly cause:
      | 'driver_error'
      | 'credential_rejected'
      | 'malformed_response'
      | 'compaction_hook'
      | 'input_timeout'
      | 'reopen_budget_exhausted'
      | 'runtime_error';
    /** At most 2000 bytes; what is longer is cut. */
    readonly reason: string;
  };
  readonly task_canceled: {
    readonly task_id: string;
    readonly turn?: number;
    readonly phase:
      | 'queued'
      | 'turn'
      | 'inference'
      | 'input'
      | 'delegation'
      | 'member_call'
      | 'harness'
      | 'plan';
    readonly detached_work_ids: readonly string[];
    readonly delegation_ids: readonly string[];
  };
  readonly inference: {
    /** Counts from 0. */
    readonly turn: number;
    readonly task_id: string | null;
    readonly input_tokens?: number;
    readonly output_tokens?: number;
    readonly decision: 'tool_call' | 'end_turn' | 'text' | 'error';
    readonly stop_reason?: string;
    readonly tool_name: string | null;
    readonly cached_tokens?: number;
    readonly cache_write_tokens?: number;
    readonly thinking_tokens?: number;
    readonly error_code?: string;
    /** At most 2000 bytes; what is longer is cut. */
    readonly error?: string;
  };
  readonly tool_call: {
    readonly turn: number;
    readonly task_id: string | null;
    readonly tool_name: string;
    readonly tool_call_id: string | null;
    /** The input as JSON; null when it could not be read as such. */
    readonly input: unknown;
    readonly input_bytes: number;
    /** Present only where the output of tools is captured. */
    readonly output?: string;
    readonly output_bytes: number;
    readonly duration_ms: number;
    readonly status: 'ok' | 'error';
  };
  readonly harness_start: InTask & {
    readonly driver: string;
    readonly driver_version: string;
    readonly harness: string;
    readonly binary: string;
    readonly binary_source: string;
    readonly harness_version: string | null;
    readonly version_tested: boolean;
    /** The id that was handed to the harness. */
    readonly harness_session_id: string;
    readonly session_mode: 'new' | 'resume';
    readonly args_count: number;
    readonly env_names: readonly string[];
    readonly files: readonly string[];
    readonly bridge_tools: readonly string[];
    readonly stdin_bytes: number;
    readonly keep_stdin_open: boolean;
  };
  readonly harness_session: InTask & {
    /** The id that the harness reported. */
    readonly harness_session_id: string;
    readonly auth: string;
    readonly model: string | null;
  };
  readonly harness_session_forgotten: InTask & {
    readonly context_id: string;
    readonly harness_session_id: string;
    readonly requested_by: 'cli' | 'a2a';
  };
  readonly harness_warning: InTask & {
    readonly code: 'W-RUN-002' | 'W-SEC-031';
    readonly message: string;
  };
  readonly harness_failed: InTask & {
    readonly kind: 'auth' | 'quota' | 'max-turns' | 'canceled' | 'harness-error' | 'other';
    readonly message: string;
    readonly source: 'harness' | 'runtime';
  };
  readonly harness_retry: InTask & { readonly attempt: number; readonly reason: string };
  readonly harness_note: InTask & { readonly text: string };
  readonly harness_quota: InTask & { readonly windows: readonly QuotaWindow[] };
  readonly harness_suggested_prompt: InTask & { readonly text: string };
  readonly harness_interrupt: InTask & {
    readonly method: string;
    readonly delivered: boolean;
    readonly grace_ms: number;
  };
  readonly harness_exit: InTask & {
    readonly code: number | null;
    readonly signal: number | null;
    readonly cause:
      | 'terminal'
      | 'eof'
      | 'inactivity'
      | 'max_turns'
      | 'spend_ceiling'
      | 'driver_error'
      | 'canceled';
    readonly killed: boolean;
    readonly duration_ms: number;
  };
}

/** The name of an event that this build writes. */
export type TraceEventType = keyof TraceEvents;

/** How a task or a session ended. */
export type ExitStatus =
  | 'ok'
  | 'failed'
  | 'max_turns_reached'
  | 'spend_ceiling_reached'
  | 'canceled'
  | 'trapped';

/** Where a task came from. */
export type TaskSource = 'a2a' | 'task_md' | 'detached_shell' | 'detached_lost';

/** Records of a harness carry the task they belong to where one is in scope. */
interface InTask {
  readonly task_id?: string;
}

/** One window of a subscription's quota, as the harness reports it. */
export interface QuotaWindow {
  readonly name: string;
  readonly used?: number;
  readonly resets_at?: number;
  readonly window_minutes?: number;
  readonly state?: string;
}

/** What was decided for a session, once. Names only, never a value of the environment. */
export interface SessionStart {
  readonly capsule_name: string;
  readonly capsule_version: string;
  readonly model: string;
  readonly max_turns: number;
  readonly max_session_tokens: number | null;
  readonly machine_tokens_per_day: number | null;
  readonly capabilities: readonly ('network' | 'filesystem' | 'shell')[];
  readonly tools_declared: readonly string[];
  readonly tool_refresh: 'compaction' | 'immediate' | null;
  readonly runtime_artifacts: readonly {
    readonly name: string;
    readonly version: string;
    readonly origin: string;
    readonly session: string | null;
    readonly trust: string;
  }[];
  readonly containment_declared: string;
  readonly containment_achieved: string;
  readonly userns_grant:
    | 'apparmor_absent'
    | 'restriction_disabled_host_wide'
    | 'profile_confining'
    | 'withheld'
    | null;
  readonly workdir_exec: boolean;
  readonly resumed_from: string | null;
  readonly context_id: string | null;
  readonly system_prompt_source: 'manifest' | 'cli' | 'none';
  readonly credential_source: 'config' | 'environment' | 'manifest' | 'keyless' | 'none';
  readonly gateways: readonly {
    readonly artifact: string;
    readonly host: string;
    readonly credential_source: string;
    readonly metered: boolean;
  }[];
  readonly system_prompt_sha256: string | null;
  /** The report of the effective grants, as the policy computed it. */
  readonly effective_grants: object;
}
