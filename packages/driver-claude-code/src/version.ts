/** First version tried that keeps a session's first system prompt unless told otherwise; older ones refuse the option. */
const PROMPT_SNAPSHOTS_SINCE = [2, 1, 278] as const;

/** Whether a release has the option. An unreadable version is taken for a recent one: it then fails loudly, if at all. */
export function knowsPromptSnapshots(harnessVersion: string | undefined): boolean {
  const [, ...parts] = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})\b/.exec(harnessVersion?.trim() ?? '') ?? [];
  if (parts.length === 0) return true;
  for (const [at, least] of PROMPT_SNAPSHOTS_SINCE.entries()) {
    const part = Number(parts[at]);
    if (part !== least) return part > least;
  }
  return true;
}
