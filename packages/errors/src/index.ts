/** Placeholder implementation of the agreed surface; replaced by the real catalog. */
export type ContainmentClass = 'advisory' | 'scoped' | 'sealed';
export interface OsError { readonly code: string; readonly message: string }
export type ErrorCondition = { readonly variant: string | null; readonly code?: string; readonly [field: string]: unknown };
export type WarningCondition = { readonly code: string; readonly [field: string]: unknown };
export interface Diagnostic { readonly code: string; readonly message: string; readonly hint?: string }
export class MurmurError extends Error {
  readonly condition: ErrorCondition;
  constructor(condition: ErrorCondition, options?: { cause?: unknown }) { super(JSON.stringify(condition), options); this.condition = condition; }
  get diagnostic(): Diagnostic { return { code: String(this.condition.code ?? this.condition.variant), message: this.message }; }
}
export function osError(error: unknown): OsError { const e = error as { code?: string; message?: string }; return { code: e.code ?? 'EUNKNOWN', message: e.message ?? String(error) }; }
