import { type Diagnostic, diagnose } from '@murmur/errors';
import type { DoctorRow } from './types.js';

/** Whether each variable that the project needs is set, and `E-CAP-014` for those that are not. Names only. */
export function examineEnvironment(
  names: readonly string[],
  hostEnv: Readonly<Record<string, string>>,
): { readonly rows: readonly DoctorRow[]; readonly unset: Diagnostic | null } {
  const isSet = (name: string): boolean => Object.hasOwn(hostEnv, name);
  const unset = names.filter((name) => !isSet(name));
  return {
    rows: names.map((name) => ({
      block: 'environment',
      name,
      ...(isSet(name)
        ? { status: 'ok', message: 'set' }
        : { status: 'error', code: 'E-CAP-014', message: 'unset' }),
    })),
    unset: unset.length === 0 ? null : diagnose({ variant: null, code: 'E-CAP-014', names: unset }),
  };
}
