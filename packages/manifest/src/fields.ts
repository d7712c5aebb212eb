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
  /** The values as JSON Schema; what only the reader can judge is left out. */
  readonly json?: JsonSchemaPart;
}

/** A part of a JSON Schema, for values that zod converts and therefore cannot describe itself. */
export interface JsonSchemaPart {
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'null';
  readonly enum?: readonly (string | boolean)[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly minProperties?: number;
  readonly anyOf?: readonly JsonSchemaPart[];
  readonly not?: JsonSchemaPart;
}

/** Notes of every schema of a key; the generated reference reads them. */
export const keyNotes = z.registry<KeyNote>();

/** Attaches to a key's schema what the key does. */
export function described<S extends z.ZodType>(note: string, schema: S): S {
  keyNotes.add(schema, { ...keyNotes.get(schema), note });
  return schema;
}

/** Names of blocks that stand in several places, as the JSON Schema shows them. */
export const blockNames = z.registry<{ readonly id: string }>();

/** Gives a block a name of its own in the JSON Schema. */
export function named<S extends z.ZodType>(id: string, schema: S): S {
  blockNames.add(schema, { id });
  return schema;
}

/** Attaches what JSON Schema can say about a schema's values. */
export function shaped<S extends z.ZodType>(json: JsonSchemaPart, schema: S): S {
  keyNotes.add(schema, { ...keyNotes.get(schema), json });
  return schema;
}

/** A key that is known here only to be refused with words of its own. */
export function refusedKey() {
  return shaped({ not: {} }, z.unknown().optional());
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
export function converted<T>(
  expected: string,
  convert: (value: unknown) => T | undefined,
  json: JsonSchemaPart = {},
) {
  const schema = z.unknown().transform((value, context): T => {
    const result = convert(value);
    if (result !== undefined) return result;
    context.addIssue({ code: 'custom', message: mismatch(expected, value) });
    return z.NEVER;
  });
  keyNotes.add(schema, { kind: expected, json });
  return schema;
}

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';

const SOME_TEXT: JsonSchemaPart = { type: 'string', pattern: '\\S' };

/** Text that is not blank. */
export function text(expected = 'text that is not blank') {
  return converted(
    expected,
    (value) => (typeof value === 'string' && !isBlank(value) ? value : undefined),
    SOME_TEXT,
  );
}

/** Text that satisfies a rule; `pattern` says as much of the rule as a regular expression can. */
export function textWhere(expected: string, accepts: (value: string) => boolean, pattern?: string) {
  return converted(
    expected,
    (value) => (typeof value === 'string' && accepts(value) ? value : undefined),
    pattern === undefined ? { type: 'string' } : { type: 'string', pattern },
  );
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
  keyNotes.add(schema, { kind: 'text', json: { anyOf: [{ type: 'string' }, { type: 'null' }] } });
  return schema.optional();
}

/** `true` or `false`. */
export function flag() {
  return converted('true or false', (value) => (typeof value === 'boolean' ? value : undefined), {
    type: 'boolean',
  });
}

/** A whole number of at least `least`. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER) {
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  return converted(
    `a whole number ${range}`,
    (value) =>
      Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
        ? Number(value)
        : undefined,
    { type: 'integer', minimum: least, maximum: most },
  );
}

/** A number from 0 to 1; `aboveZero` leaves 0 out. */
export function fraction(options: { aboveZero?: boolean } = {}) {
  const expected = options.aboveZero === true ? 'a number above 0, at most 1' : 'a number from 0 to 1';
  const least = options.aboveZero === true ? { exclusiveMinimum: 0 } : { minimum: 0 };
  return converted(
    expected,
    (value) => {
      const fits = typeof value === 'number' && value >= 0 && value <= 1;
      return fits && !(options.aboveZero === true && value === 0) ? value : undefined;
    },
    { type: 'number', ...least, maximum: 1 },
  );
}

/** One of a few words. */
export function choice<const W extends string>(words: readonly W[]) {
  const last = words.at(-1) ?? '';
  const expected = words.length === 1 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
  return converted<W>(expected, (value) => words.find((word) => word === value), {
    type: 'string',
    enum: words,
  });
}

/** A whole number above zero, bare or with one of the units. */
function quantity(units: string): JsonSchemaPart {
  const bare: JsonSchemaPart = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
  return { anyOf: [bare, { type: 'string', pattern: `^0*[1-9][0-9]*(${units})?$` }] };
}

/** A size in bytes above zero. */
export function size() {
  return converted(
    'a size above zero: whole bytes, or a whole number with Ki, Mi or Gi',
    (value) => parseSizeBytes(value) ?? undefined,
    quantity('Ki|Mi|Gi'),
  );
}

/** A duration in seconds above zero. */
export function duration(options: { days?: boolean } = {}) {
  const units = options.days === false ? 's, m or h' : 's, m, h or d';
  return converted(
    `a duration above zero: whole seconds, or a whole number with ${units}`,
    (value) => parseDurationSeconds(value, options) ?? undefined,
    quantity(options.days === false ? 's|m|h' : 's|m|h|d'),
  );
}

/** A list of elements of one kind. */
export function listOf<S extends z.ZodType>(element: S) {
  const schema = z.array(element, { error: (issue) => mismatch('a list', issue.input) });
  keyNotes.add(schema, { kind: `list of ${keyNotes.get(element)?.kind ?? 'mappings'}` });
  return schema;
}

/** A list of elements of one kind that holds at least one. */
export function someOf<S extends z.ZodType>(element: S) {
  return shaped(
    { minItems: 1 },
    listOf(element).refine((list) => list.length > 0, { error: 'must not be empty' }),
  );
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
