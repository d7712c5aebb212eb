import type { FailureKind } from '@murmur/driver-sdk';

const STATUS = /\bstatus:? (\d{3})\b/i;
const QUOTA = /usage limit|rate limit|quota|too many requests|purchase more credits|insufficient_quota/i;
const SIGN_IN =
  /unauthori[sz]ed|not logged in|log ?in again|sign in again|codex login|missing environment variable|api key|access token|refresh token/i;

/** Why a turn failed, judged by Codex's message: an HTTP status in it decides, else its words. */
export function failureKindOf(message: string): FailureKind {
  const status = STATUS.exec(message)?.[1];
  if (status === '401') return 'auth';
  if (status === '429') return 'quota';
  if (status !== undefined) return 'harness-error';
  if (QUOTA.test(message)) return 'quota';
  if (SIGN_IN.test(message)) return 'auth';
  return 'harness-error';
}
