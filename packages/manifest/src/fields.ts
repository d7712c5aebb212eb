import { z } from 'zod';
import { parseDurationSeconds, parseSizeBytes } from './units.js';

/**
 * The kinds of values that manifest keys hold, each with one message for everything that is not of its kind.
 * A key without a value is refused everywhere but for optional text: `allow:` with its list commented out
 * must not silently mean "no restriction".
 */

/** What the key reference says about a key. */
export interface KeyNote {
  /** Kind of value, for people. */
  readonly kind?: string;
  /** What the key does. */
  readonly note?: string;
}

/** Notes of every schema of a key; the generated reference reads them. */
export const keyNotes = z.registry<KeyNote>();

/** Attaches to a key's schema what the key does. */
export function described<S extends z.ZodType>(note: string, schema: S): S {
  keyNotes.add(schema, { ...keyNotes.get(schema), note });
  return schema;
}

/** A message for a value of the wrong kind, in terms of what is expected. */
export function mismatch(expected: string, found: unknown): string {
  if (found === undefined) return `is missing; it must be ${expected}`;
  if (found === null) return `has no value; it must be ${expected}`;
  if (Array.isArray(found)) return `must be ${expected}, not a list`;
  if (typeof found === 'object') return `must be ${expected}, not a mapping`;
  return `must be ${expected}`;
}

/** A value turned into its typed form by one function; `undefined` from it means "not of this kind". */
export function converted<T>(expected: string, convert: (value: unknown) => T | undefined) {
  const schema = z.unknown().transform((value, context): T => {
    const result = convert(value);
    if (result !== undefined) return result;
    context.addIssue({ code: 'custom', message: mismatch(expected, value) });
    return z.NEVER;
  });
  keyNotes.add(schema, { kind: expected });
  return schema;
}

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';

/** Text that is not blank. */
export function text(expected = 'text that is not blank') {
  return converted(expected, (value) => (typeof value === 'string' && !isBlank(value) ? value : undefined));
}

/** Text that satisfies a rule. */
export function textWhere(expected: string, accepts: (value: string) => boolean) {
  return converted(expected, (value) => (typeof value === 'string' && accepts(value) ? value : undefined));
}

/** Text as written, an empty one included: a later check judges it. */
export function rawText() {
  return textWhere('text', () => true);
}

/** Text that may be absent; blank text and no value count as absent. */
export function optionalText(options: { trim?: boolean } = {}) {
  const schema = z.unknown().transform((value, context): string | undefined => {
    if (value === null || value === undefined || isBlank(value)) return undefined;
    if (typeof value === 'string') return options.trim === true ? value.trim() : value;
    context.addIssue({ code: 'custom', message: mismatch('text', value) });
    return z.NEVER;
  });
  keyNotes.add(schema, { kind: 'text' });
  return schema.optional();
}

/** `true` or `false`. */
export function flag() {
  return converted('true or false', (value) => (typeof value === 'boolean' ? value : undefined));
}

/** A whole number of at least `least`. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER) {
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  return converted(`a whole number ${range}`, (value) =>
    Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
      ? Number(value)
      : undefined,
  );
}

/** A number from 0 to 1; `aboveZero` leaves 0 out. */
export function fraction(options: { aboveZero?: boolean } = {}) {
  const expected = options.aboveZero === true ? 'a number above 0, at most 1' : 'a number from 0 to 1';
  return converted(expected, (value) => {
    const fits = typeof value === 'number' && value >= 0 && value <= 1;
    return fits && !(options.aboveZero === true && value === 0) ? value : undefined;
  });
}

/** One of a few words. */
export function choice<const W extends string>(words: readonly W[]) {
  const last = words.at(-1) ?? '';
  const expected = words.length === 1 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
  return converted<W>(expected, (value) => words.find((word) => word === value));
}

/** A size in bytes above zero. */
export function size() {
  return converted(
    'a size above zero: whole bytes, or a whole number with Ki, Mi or Gi',
    (value) => parseSizeBytes(value) ?? undefined,
  );
}

/** A duration in seconds above zero. */
export function duration(options: { days?: boolean } = {}) {
  const units = options.days === false ? 's, m or h' : 's, m, h or d';
  return converted(
    `a duration above zero: whole seconds, or a whole number with ${units}`,
    (value) => parseDurationSeconds(value, options) ?? undefined,
  );
}

/** A list of elements of one kind. */
export function listOf<S extends z.ZodType>(element: S) {
  const schema = z.array(element, { error: (issue) => mismatch('a list', issue.input) });
  keyNotes.add(schema, { kind: `list of ${keyNotes.get(element)?.kind ?? 'mappings'}` });
  return schema;
}

/** A mapping with these keys. Other keys are left out here and reported elsewhere. */
export function block<S extends z.ZodRawShape>(shape: S) {
  const schema = z.object(shape, { error: (issue) => mismatch('a mapping', issue.input) });
  keyNotes.add(schema, { kind: 'mapping' });
  return schema;
}

/** A mapping whose keys the author chooses. */
export function namedBlocks<S extends z.ZodType>(value: S) {
  const schema = z.record(z.string(), value, { error: (issue) => mismatch('a mapping', issue.input) });
  keyNotes.add(schema, { kind: 'mapping of names' });
  return schema;
}
