import { countMember, type FailureKind, type JsonObject, listMember, stringMember } from '@murmur/driver-sdk';

const AUTH_ERRORS = [
  'account_on_hold',
  'authentication_failed',
  'cloud_credential_error',
  'oauth_org_not_allowed',
  'verification_required',
];
const QUOTA_ERRORS = ['billing_error', 'rate_limit'];

/** Why a turn failed: the HTTP status decides, then how the turn ended, then Claude Code's word for the error. */
export function failureKindOf(result: JsonObject, errorClass: string | undefined): FailureKind {
  const status = countMember(result, 'api_error_status');
  if (status === 401 || status === 403) return 'auth';
  if (status === 429) return 'quota';
  const reason = stringMember(result, 'terminal_reason');
  if (reason === 'aborted_streaming' || reason === 'aborted_tools') return 'canceled';
  if (stringMember(result, 'subtype') === 'error_max_turns' || reason === 'max_turns') return 'max-turns';
  if (errorClass !== undefined && AUTH_ERRORS.includes(errorClass)) return 'auth';
  if (errorClass !== undefined && QUOTA_ERRORS.includes(errorClass)) return 'quota';
  return 'harness-error';
}

/** Claude Code's message; where it has none, what it says of the end. */
export function failureMessageOf(result: JsonObject): string {
  const message = stringMember(result, 'result')?.trim() ?? '';
  if (message !== '') return message;
  const [error] = listMember(result, 'errors') ?? [];
  const status = countMember(result, 'api_error_status');
  const parts = [
    stringMember(result, 'subtype'),
    stringMember(result, 'terminal_reason'),
    stringMember(result, 'startup_failure_reason'),
    status === undefined ? undefined : `HTTP ${status}`,
    typeof error === 'string' ? error : undefined,
  ].filter((part) => part !== undefined && part !== '');
  return parts.length === 0 ? 'Claude Code failed the turn without saying why' : parts.join(': ');
}
