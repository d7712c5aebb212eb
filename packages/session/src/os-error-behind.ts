import { isMurmurError, type OsError, osError } from '@murmur/errors';

/** Code of a failure that no system call reported. */
const NO_CODE = 'EUNKNOWN';

/** What lies behind a failed file operation, for a condition that tells it in words of its own. */
export function osErrorBehind(error: unknown): OsError {
  if (!isMurmurError(error)) return osError(error);
  if (error.cause !== undefined) return osError(error.cause);
  const { condition } = error;
  if (condition.variant === 'WorkdirPathRefused')
    return { code: NO_CODE, message: `'${condition.refused_at}' is in the way: ${condition.reason}` };
  if (condition.variant === null && condition.code === 'E-IO-003')
    return { code: NO_CODE, message: condition.reason };
  return osError(error);
}
