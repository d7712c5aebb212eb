import { MurmurError } from '@murmur/errors';

/** The condition a call is refused with; fails when it is not refused, or not with one of the catalog. */
export function refusalOf(call: () => unknown): Readonly<Record<string, unknown>> {
  try {
    call();
  } catch (error) {
    if (error instanceof MurmurError) return { ...error.condition, code: error.diagnostic.code };
    throw error;
  }
  throw new Error('the call was not refused');
}
