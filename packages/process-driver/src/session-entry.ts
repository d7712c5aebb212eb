/** One context's entry as it lies in `harness-session.json`. */
export interface SessionEntry {
  readonly sessionId: string;
  readonly createdMs: number;
}

const type = 'murmur.harness-session';
export const sessionFileName = 'harness-session.json';

/** Reads an entry; null for text that is not one: it then counts as no session. */
export function readSessionEntry(text: string): SessionEntry | null {
  try {
    const raw: unknown = JSON.parse(text);
    if (typeof raw !== 'object' || raw === null) return null;
    const entry = raw as Record<string, unknown>;
    const { session_id: sessionId, created_ms: createdMs } = entry;
    if (entry.type !== type || typeof sessionId !== 'string' || sessionId === '') return null;
    return {
      sessionId,
      createdMs: typeof createdMs === 'number' && Number.isFinite(createdMs) ? createdMs : 0,
    };
  } catch {
    return null;
  }
}

/** `harness` and `driver` are written for people; nothing compares them. */
export function writeSessionEntry(
  entry: SessionEntry & { readonly harness: string; readonly driver: string; readonly updatedMs: number },
): string {
  return `${JSON.stringify({
    type,
    session_id: entry.sessionId,
    harness: entry.harness,
    driver: entry.driver,
    created_ms: entry.createdMs,
    updated_ms: entry.updatedMs,
  })}\n`;
}

/** A context id comes from clients: only one that is a plain, visible path segment gets a file. */
export function isFileSegment(id: string): boolean {
  return id !== '' && !id.startsWith('.') && !/[/\\\0]/.test(id) && Buffer.byteLength(id) <= 255;
}
