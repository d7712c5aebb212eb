import { redact } from '@murmur/errors';

/** Texts of failures are cut at this size; the trace is a record, not a log. */
const MAX_REASON_BYTES = 2000;

/**
 * A payload as it may be written: every secret replaced, in values and in the keys of nested objects,
 * and the texts of failures cut to their limit. Cutting comes last, so that it cannot leave half a
 * secret standing that is no longer recognised.
 */
export function withhold(
  eventType: string,
  payload: object,
  secrets: readonly string[],
): Readonly<Record<string, unknown>> {
  const clean = replaceIn(payload, secrets) as Record<string, unknown>;
  if (eventType === 'task_failed' && typeof clean.reason === 'string') {
    return { ...clean, reason: cutToBytes(clean.reason, MAX_REASON_BYTES) };
  }
  if (eventType === 'inference' && typeof clean.error === 'string') {
    return { ...clean, error: cutToBytes(clean.error, MAX_REASON_BYTES) };
  }
  return clean;
}

function replaceIn(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return redact(value, secrets);
  if (Array.isArray(value)) return value.map((item) => replaceIn(item, secrets));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [redact(key, secrets), replaceIn(item, secrets)]),
    );
  }
  return value;
}

/** The longest beginning of a text that fits, without half a character at its end. */
function cutToBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  // Continuation bytes are 10xxxxxx; stepping back over them ends at a character's first byte.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}
