import { redact } from '@murmur/errors';
import type { TurnReport } from './types.js';

function clean(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string')
    return secrets.some((secret) => value.includes(secret)) ? redact(value, secrets) : value;
  if (Array.isArray(value)) return value.map((item) => clean(item, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [clean(key, secrets), clean(item, secrets)]),
  );
}

/** Replaces every secret in every text of a plain value. */
export function withoutSecrets<T>(value: T, secrets: readonly string[]): T {
  return secrets.length === 0 ? value : (clean(value, secrets) as T);
}

/**
 * A report that no secret passes. The bridge's token is known to the harness, which may print it: nothing of it may
 * reach a record, a frame or a message.
 */
export function redactedReport(report: TurnReport, secrets: readonly string[]): TurnReport {
  if (secrets.length === 0) return report;
  return {
    record: (record) => report.record(withoutSecrets(record, secrets)),
    stream: (frame) => report.stream(withoutSecrets(frame, secrets)),
    warn: (warning) => report.warn(withoutSecrets(warning, secrets)),
  };
}
