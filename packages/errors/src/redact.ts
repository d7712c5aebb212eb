/** What stands where a secret stood. */
export const REDACTED = '[redacted]';

/**
 * Replaces every occurrence of every secret by `[redacted]`: as it is, as JSON writes it inside a
 * string, and percent-encoded. Secrets that overlap are covered together, so that no part of one is
 * left standing beside another. Empty secrets are ignored.
 */
export function redact(text: string, secrets: readonly string[]): string {
  const needles = new Set<string>();
  for (const secret of secrets) {
    if (secret === '') continue;
    needles.add(secret);
    needles.add(JSON.stringify(secret).slice(1, -1));
    needles.add(percentEncoded(secret));
  }
  const spans: [start: number, end: number][] = [];
  for (const needle of needles) {
    // Steps by one, so that occurrences which overlap themselves are covered whole.
    for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1)) {
      spans.push([at, at + needle.length]);
    }
  }
  if (spans.length === 0) return text;
  spans.sort((a, b) => a[0] - b[0]);
  let result = '';
  let copied = 0;
  let covered = -1;
  for (const [start, end] of spans) {
    if (start > covered) {
      result += text.slice(copied, start) + REDACTED;
    }
    covered = Math.max(covered, end);
    copied = covered;
  }
  return result + text.slice(copied);
}

function percentEncoded(secret: string): string {
  try {
    return encodeURIComponent(secret);
  } catch {
    return secret; // a lone surrogate has no percent-encoded form
  }
}
