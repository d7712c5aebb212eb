/** Text to look for and what stands in its place; the same text always becomes the same. */
export interface Redaction {
  readonly find: string | RegExp;
  /** Stands in place of it. `{n}` numbers different texts in the order they first came. */
  readonly put: string;
  /** What was replaced, in words, for `meta.json`. */
  readonly what: string;
}

/** Replaces in one text after another, so that one id is one id in all of them. */
export interface Redactor {
  text(value: string): string;
  bytes(value: Uint8Array): Uint8Array;
  /** What was replaced so far, in words. */
  readonly done: readonly string[];
}

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const SECRETS =
  /\b(?:sk|rk|pk)-[A-Za-z0-9_-]{8,}|\bBearer\s+[A-Za-z0-9._~+/-]{8,}=*|\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*|\bgh[pousr]_[A-Za-z0-9]{20,}/g;
const MAIL = /\b[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+\b/g;

/** What is replaced in every recording: secrets by their look, mail addresses, and ids (which stay distinct and stay UUIDs). */
export const STANDING_REDACTIONS: readonly Redaction[] = [
  { find: SECRETS, put: 'redacted-secret-{n}', what: 'texts that look like keys or tokens' },
  { find: MAIL, put: 'person-{n}@example.test', what: 'mail addresses' },
  { find: UUID, put: '00000000-0000-4000-8000-{n}', what: 'UUIDs, each by one of its own' },
];

/**
 * Replaces what must not be kept. Texts that are given come first, longest first, so that a path below another is
 * replaced whole; each also where JSON spells it with escapes.
 */
export function createRedactor(given: readonly Redaction[]): Redactor {
  const literal = given
    .filter((each) => typeof each.find !== 'string' || each.find.length >= 3)
    .flatMap((each) =>
      typeof each.find === 'string' && escaped(each.find) !== each.find
        ? [each, { ...each, find: escaped(each.find) }]
        : [each],
    )
    .sort((left, right) => lengthOf(right.find) - lengthOf(left.find));
  const numbers = new Map<string, Map<string, number>>();
  const done = new Set<string>();
  // What was put in place of something is never replaced again.
  const isOurs = (found: string): boolean => [...numbers.values()].some((seen) => seen.has(`=${found}`));

  const replace = (value: string, { find, put, what }: Redaction): string => {
    const pattern = typeof find === 'string' ? new RegExp(quoted(find), 'g') : find;
    return value.replace(pattern, (found) => {
      if (isOurs(found) || found === put) return found;
      const seen = numbers.get(put) ?? new Map<string, number>();
      numbers.set(put, seen);
      const number = seen.get(found) ?? [...seen.keys()].filter((key) => !key.startsWith('=')).length + 1;
      seen.set(found, number);
      const width = put.startsWith('00000000-') ? 12 : 1;
      const placed = put.replace('{n}', String(number).padStart(width, '0'));
      seen.set(`=${placed}`, number);
      done.add(what);
      return placed;
    });
  };
  const text = (value: string): string =>
    [...literal, ...STANDING_REDACTIONS].reduce((left, each) => replace(left, each), value);
  return {
    text,
    // Read as Latin-1, bytes that are not UTF-8 survive; ASCII is found in them all the same.
    bytes(value) {
      const asText = Buffer.from(value).toString('utf8');
      if (Buffer.from(asText, 'utf8').equals(Buffer.from(value)))
        return new Uint8Array(Buffer.from(text(asText), 'utf8'));
      return new Uint8Array(Buffer.from(text(Buffer.from(value).toString('latin1')), 'latin1'));
    },
    get done() {
      return [...done];
    },
  };
}

function lengthOf(find: string | RegExp): number {
  return typeof find === 'string' ? find.length : 0;
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function quoted(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
