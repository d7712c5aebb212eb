import type { AnyErrorEntry, AnyWarningEntry } from './condition.js';
import type { Stage } from './define.js';
import { allErrorEntries, allWarningEntries } from './diagnose.js';
import { anchor } from './docs-link.js';
import type { Fields } from './fields.js';

/** A field of an entry, by name and type as printed. */
export interface CatalogField {
  readonly name: string;
  readonly type: string;
}

/** One condition of the catalog, as plain data. In `message` and `remedy`, `<field>` marks where a field goes. */
export interface CatalogEntry {
  readonly severity: 'error' | 'warning';
  /** The condition's name; null where the code alone names it. */
  readonly variant: string | null;
  readonly code: string;
  readonly stage: Stage;
  readonly fields: readonly CatalogField[];
  readonly summary: string;
  readonly message: string;
  /** Null where there is none. */
  readonly remedy: string | null;
  readonly explanation: string;
  /** The anchor on the diagnostics page. */
  readonly anchor: string;
  /** Whether the number is ours until an established one is known. */
  readonly provisional: boolean;
}

/** A row of the catalog's JSON form. */
export type CatalogRow = Pick<CatalogEntry, 'variant' | 'code' | 'stage' | 'fields' | 'message' | 'remedy'>;

/** Every error and warning, in code order; conditions that share a code stand together. */
export const catalog: readonly CatalogEntry[] = Object.freeze(
  [
    ...allErrorEntries.map((entry) => plainEntry('error', entry.variant, entry)),
    ...allWarningEntries.map((entry) => plainEntry('warning', null, entry)),
  ].sort((a, b) => (a.code < b.code ? -1 : a.code > b.code ? 1 : 0)),
);

/** The catalog as rows for `--json`. */
export function catalogJson(): readonly CatalogRow[] {
  return catalog.map(({ variant, code, stage, fields, message, remedy }) => ({
    variant,
    code,
    stage,
    fields,
    message,
    remedy,
  }));
}

function plainEntry(
  severity: 'error' | 'warning',
  variant: string | null,
  entry: AnyErrorEntry | AnyWarningEntry,
): CatalogEntry {
  const values = placeholders(entry.fields);
  return Object.freeze({
    severity,
    variant,
    code: entry.code,
    stage: entry.stage,
    fields: Object.entries(entry.fields).map(([name, field]) => ({ name, type: field.type })),
    summary: entry.summary,
    message: entry.message(values),
    remedy: typeof entry.remedy === 'function' ? entry.remedy(values) : entry.remedy,
    explanation: entry.explanation,
    anchor: anchor(entry.code),
    provisional: entry.provisional ?? false,
  });
}

function placeholders(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.placeholder(name)]));
}
