const SIZE_UNITS: Readonly<Record<string, number>> = { Ki: 1024, Mi: 1024 ** 2, Gi: 1024 ** 3 };
const DURATION_UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/**
 * Reads a size: whole bytes, or a whole number with `Ki`, `Mi` or `Gi`. Returns bytes, or `null` when the
 * value is none of these, is zero, or cannot be held exactly. Spec: manifest, scalars.
 */
export function parseSizeBytes(value: unknown): number | null {
  return quantity(value, /^(\d+)(Ki|Mi|Gi)?$/, SIZE_UNITS);
}

/**
 * Reads a duration: whole seconds, or a whole number with `s`, `m`, `h` or (unless `days` is false) `d`.
 * Returns seconds, or `null` when the value is none of these, is zero, or cannot be held exactly.
 * Spec: manifest, scalars.
 */
export function parseDurationSeconds(value: unknown, options: { days?: boolean } = {}): number | null {
  const pattern = options.days === false ? /^(\d+)([smh])?$/ : /^(\d+)([smhd])?$/;
  return quantity(value, pattern, DURATION_UNITS);
}

function quantity(value: unknown, pattern: RegExp, units: Readonly<Record<string, number>>): number | null {
  if (typeof value === 'number') return positive(value);
  if (typeof value !== 'string') return null;
  const match = pattern.exec(value);
  if (match === null) return null;
  const unit = match[2] === undefined ? 1 : units[match[2]];
  return unit === undefined ? null : positive(Number(match[1]) * unit);
}

function positive(value: number): number | null {
  return Number.isSafeInteger(value) && value > 0 ? value : null;
}
