import type { BenchRow } from './types.js';

/** Whether a row keeps its budget; null when it has none. */
export function keepsBudget(row: BenchRow): boolean | null {
  if (row.budget === null || row.ratio === null) return null;
  return row.budget.kind === 'at-most' ? row.ratio <= row.budget.ratio : row.ratio >= row.budget.ratio;
}

/** Columns padded to their widest cell, two spaces between. */
export function formatTable(rows: readonly BenchRow[]): string {
  const cells = rows.map((row) => [
    row.what,
    row.measured,
    row.against,
    row.ratio === null ? '' : `× ${row.ratio.toFixed(2)}`,
    row.budget === null ? '' : `${row.budget.kind === 'at-most' ? '≤' : '≥'} ${row.budget.ratio}`,
    { true: 'kept', false: 'BROKEN', null: '' }[String(keepsBudget(row)) as 'true' | 'false' | 'null'],
  ]);
  const all = [['what', 'measured', 'against', 'ratio', 'budget', ''], ...cells];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
