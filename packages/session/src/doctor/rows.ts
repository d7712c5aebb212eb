import { type Diagnostic, diagnoseWarning, isMurmurError, type WarningCondition } from '@murmur/errors';
import type { DoctorBlock, DoctorRow, DoctorStatus } from './types.js';

/** A row that tells a condition of the catalog. */
export function conditionRow(
  block: DoctorBlock,
  name: string,
  status: DoctorStatus,
  { code, message, hint }: Diagnostic,
): DoctorRow {
  return { block, name, status, code, message, ...(hint === undefined ? {} : { remedy: hint }) };
}

/** A row that tells a warning of the catalog. */
export function warningRow(block: DoctorBlock, name: string, warning: WarningCondition): DoctorRow {
  return conditionRow(block, name, 'warning', diagnoseWarning(warning));
}

/**
 * Runs a check of a launch. A refusal becomes a row of the given status, and null is answered; a fault of this
 * program is none and goes on.
 */
export async function attempt<T>(
  check: () => T | Promise<T>,
  refused: (refusal: Diagnostic) => void,
): Promise<T | null> {
  try {
    return await check();
  } catch (error) {
    if (!isMurmurError(error)) throw error;
    refused(error.diagnostic);
    return null;
  }
}
