import { boundField, boundText, readablePart } from './bound-text.js';
import type { AnyErrorEntry, AnyWarningEntry, ErrorCondition, WarningCondition } from './condition.js';
import { errorEntries, warningEntries } from './entries/all.js';
import type { Fields } from './fields.js';
import { redact } from './redact.js';
import { stripControl, stripToOneLine } from './strip-control.js';
import { unsatisfiedImport } from './unsatisfied-import.js';

/** A problem as a person is told it: the stable code, the message and, where there is one, the remedy. */
export interface Diagnostic {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

// Each entry checked its own texts against its own fields where it was written; from here on they are
// handled alike.
export const allErrorEntries = errorEntries as unknown as readonly AnyErrorEntry[];
export const allWarningEntries = warningEntries as unknown as readonly AnyWarningEntry[];

const errorsByName = new Map(allErrorEntries.map((entry) => [entry.variant ?? entry.code, entry]));
const warningsByCode = new Map(allWarningEntries.map((entry) => [entry.code, entry]));

/** What a text is made of besides its fields. */
export interface DiagnoseOptions {
  /** Values that never appear in a text, whatever a field holds. */
  readonly secrets?: readonly string[];
}

/**
 * Turns a condition into the texts that are shown for it. Terminal, door and library callers all use
 * this one function. Control characters are taken out of every field, and what is longer than a person reads is
 * cut. A guest failure that is an unsatisfied import becomes `E-RUN-002`.
 */
export function diagnose(condition: ErrorCondition, options: DiagnoseOptions = {}): Diagnostic {
  const shown = remapped(condition);
  return textsOf(errorEntryOf(shown), shown, options);
}

/** The texts of a warning; see {@link diagnose}. */
export function diagnoseWarning(condition: WarningCondition, options: DiagnoseOptions = {}): Diagnostic {
  return textsOf(warningEntryOf(condition), condition, options);
}

/** The catalog's entry for a condition. */
function errorEntryOf(condition: ErrorCondition): AnyErrorEntry {
  const name = condition.variant ?? condition.code;
  const entry = errorsByName.get(name);
  if (entry === undefined) throw new Error(`no catalog entry for ${name}`);
  return entry;
}

export function warningEntryOf(condition: WarningCondition): AnyWarningEntry {
  const entry = warningsByCode.get(condition.code);
  if (entry === undefined) throw new Error(`no catalog entry for ${condition.code}`);
  return entry;
}

function remapped(condition: ErrorCondition): ErrorCondition {
  if (condition.variant !== 'CapsuleTrap' && condition.variant !== 'Runtime') return condition;
  const found = unsatisfiedImport(condition.message);
  if (found === null) return condition;
  return { variant: null, code: 'E-RUN-002', interface: found.interface, detail: condition.message };
}

function textsOf(
  entry: AnyErrorEntry | AnyWarningEntry,
  values: object,
  { secrets = [] }: DiagnoseOptions,
): Diagnostic {
  const fields = cleanFields(entry.fields, values, secrets);
  const message = boundText(redact(entry.message(fields), secrets));
  const remedy = typeof entry.remedy === 'function' ? entry.remedy(fields) : entry.remedy;
  return {
    code: entry.code,
    message,
    ...(remedy === null ? {} : { hint: boundText(redact(remedy, secrets)) }),
  };
}

function cleanFields(fields: Fields, values: object, secrets: readonly string[]): Record<string, unknown> {
  const given = values as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, clean(given[name], field.lines, secrets)]),
  );
}

function clean(value: unknown, lines: 'one' | 'many', secrets: readonly string[]): unknown {
  if (typeof value === 'string') {
    // A secret may itself hold what is stripped below, so it is looked for before and, for secrets
    // that were split by an escape sequence, again in the finished text.
    const withheld = readablePart(redact(value, secrets));
    const shown = lines === 'many' ? stripControl(withheld) : stripToOneLine(withheld);
    return boundField(redact(shown, secrets));
  }
  if (Array.isArray(value)) return value.map((item) => clean(item, lines, secrets));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, clean(item, lines, secrets)]));
  }
  return value;
}
