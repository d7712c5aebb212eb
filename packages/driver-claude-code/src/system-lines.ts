import {
  countMember,
  cutText,
  type DriverEvent,
  isJsonObject,
  type JsonObject,
  listMember,
  note,
  retry,
  sessionStarted,
  stringMember,
} from '@murmur/driver-sdk';
import type { ClaudeCodeState } from './state.js';

/** Bookkeeping that a reader of the trace should know of. Their content stays out: it may hold tool input. */
const WORTH_A_NOTE = [
  'compact_boundary',
  'model_consent_fallback',
  'model_fallback',
  'model_refusal_fallback',
  'model_refusal_no_fallback',
  'permission_denied',
  'session_writes_lost',
];

/** Events of a `system` line. */
export function systemLine(object: JsonObject, state: ClaudeCodeState): readonly DriverEvent[] {
  const subtype = stringMember(object, 'subtype') ?? '';
  if (subtype === 'init') return sessionOpened(object, state);
  if (subtype === 'api_retry') return [requestRetried(object)];
  if (subtype === 'task_started' && stringMember(object, 'task_type') === 'local_agent')
    state.subAgents = true;
  return WORTH_A_NOTE.includes(subtype) ? [note(`Claude Code reports ${subtype}`)] : [];
}

function sessionOpened(object: JsonObject, state: ClaudeCodeState): readonly DriverEvent[] {
  return [
    sessionStarted({
      id: stringMember(object, 'session_id') ?? '',
      auth: payer(stringMember(object, 'apiKeySource'), state),
      model: stringMember(object, 'model'),
    }),
    ...bridgeTrouble(listMember(object, 'mcp_servers') ?? [], state),
  ];
}

/** Without a key in play the sign-in pays, unless requests go somewhere else. An absent member proves nothing. */
function payer(apiKeySource: string | undefined, state: ClaudeCodeState): string {
  if (apiKeySource !== 'none') return 'api-key';
  return state.ownBaseUrl ? 'unknown' : 'subscription';
}

/** Claude Code goes on without a server it cannot reach, and the model then has no tools. */
function bridgeTrouble(servers: readonly unknown[], state: ClaudeCodeState): readonly DriverEvent[] {
  if (state.bridgeServer === undefined) return [];
  const status = servers
    .filter(isJsonObject)
    .filter((server) => server.name === state.bridgeServer)
    .map((server) => stringMember(server, 'status') ?? 'unknown')[0];
  return status === 'connected'
    ? []
    : [note(`the capsule's tools are not connected: ${cutText(status ?? 'not listed', 80)}`)];
}

function requestRetried(object: JsonObject): DriverEvent {
  const error = stringMember(object, 'error');
  const status = countMember(object, 'error_status');
  const reason = error ?? (status === undefined ? 'unknown' : `HTTP ${status}`);
  // A request sent again after the sign-in was renewed is not counted by Claude Code: it says 0.
  return retry(
    Math.max(1, countMember(object, 'attempt') ?? 1),
    cutText(error !== undefined && status !== undefined ? `${reason} (${status})` : reason, 512),
  );
}
