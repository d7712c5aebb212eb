import type { JsonValue } from './types.js';

/** How a key is put into a request. */
export interface UpstreamAuth {
  /** Name of the header. */
  readonly header: string;
  /** Its value, with `{key}` exactly once. */
  readonly value: string;
}

/** Headers that belong to the connection or the message, not to the artifact. */
const REFUSED_HEADERS = new Set([
  'host',
  'origin',
  'referer',
  'cookie',
  'connection',
  'content-length',
  'content-type',
  'content-encoding',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Reads an artifact manifest's `upstream_auth`: what is wrong with it comes back as `problem`, `null` standing
 * for a block that is absent. Spec: manifest, artifact manifests.
 */
export function parseUpstreamAuth(
  block: JsonValue | undefined,
): { readonly auth: UpstreamAuth } | { readonly problem: string | null } {
  if (block === undefined) return { problem: null };
  if (typeof block !== 'object' || block === null || Array.isArray(block)) {
    return { problem: 'upstream_auth must be a mapping' };
  }
  const { header, value } = block as { readonly [key: string]: JsonValue };
  if (typeof header !== 'string' || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(header)) {
    return { problem: 'upstream_auth.header must be the name of a header' };
  }
  if (REFUSED_HEADERS.has(header.toLowerCase())) {
    return { problem: `upstream_auth.header may not be ${header}` };
  }
  // A line break would let the value add headers of its own.
  if (typeof value !== 'string' || value.split('{key}').length !== 2 || /[^\t\x20-\x7e]/.test(value)) {
    return { problem: 'upstream_auth.value must be one line of ASCII that holds {key} exactly once' };
  }
  return { auth: { header, value } };
}
