/** Prefixes of the ids that `mur` mints. Spec: manifest, ids. */
export type IdPrefix = 'ses' | 'ctx' | 'msg' | 'wrk' | 'dlg' | 'frm' | 'prc';

/** Supplies random bytes, `crypto.randomBytes` for one. */
export type RandomBytes = (count: number) => Uint8Array;

const TIMED_BODY = /^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/;

/**
 * Mints an id: the prefix, an underscore and the 32 hex digits of a UUID of version 7, so that ids of one
 * prefix sort by time. `nowMs` is the clock in milliseconds since 1970.
 */
export function mintId<P extends IdPrefix>(prefix: P, nowMs: number, random: RandomBytes): `${P}_${string}` {
  return `${prefix}_${uuidv7Hex(nowMs, random)}`;
}

/** A UUID of version 7 with hyphens: how a fresh harness session is named. */
export function uuidv7(nowMs: number, random: RandomBytes): string {
  const hex = uuidv7Hex(nowMs, random);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/**
 * Whether a text is an id of this prefix. Formation ids need 32 hex digits, process ids any number of them,
 * all others the form of a UUID of version 7.
 */
export function isId(prefix: IdPrefix, text: string): boolean {
  if (!text.startsWith(`${prefix}_`)) return false;
  const body = text.slice(prefix.length + 1);
  if (prefix === 'prc') return /^[0-9a-f]+$/.test(body);
  if (prefix === 'frm') return /^[0-9a-f]{32}$/.test(body);
  return TIMED_BODY.test(body);
}

/** Whether a text is a UUID of version 7 in the hyphenated form. */
export function isUuidv7(text: string): boolean {
  return (
    /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text) &&
    TIMED_BODY.test(text.replaceAll('-', ''))
  );
}

/** The moment inside a timed id, in milliseconds since 1970, or `null` when the id carries none. */
export function idTimeMs(id: string): number | null {
  const body = id.slice(id.indexOf('_') + 1);
  return TIMED_BODY.test(body) ? Number.parseInt(body.slice(0, 12), 16) : null;
}

function uuidv7Hex(nowMs: number, random: RandomBytes): string {
  if (!Number.isSafeInteger(nowMs) || nowMs < 0 || nowMs >= 2 ** 48) {
    throw new RangeError(`not a time that an id can hold: ${nowMs}`);
  }
  const supplied = random(10);
  if (supplied.length !== 10) throw new RangeError('an id needs 10 random bytes');
  const bytes = Uint8Array.from(supplied);
  bytes[0] = 0x70 | ((bytes[0] ?? 0) & 0x0f);
  bytes[2] = 0x80 | ((bytes[2] ?? 0) & 0x3f);
  return nowMs.toString(16).padStart(12, '0') + Buffer.from(bytes).toString('hex');
}
