import { MurmurError, osError } from '@murmur/errors';

/** A name that may not be used, or that is not what the operation needs. `at` null: the whole path. */
export class Refusal extends Error {
  readonly at: string | null;
  constructor(reason: string, at: string | null = null) {
    super(reason);
    this.at = at;
  }
}

/** A failure with a reason of our own rather than the system's. */
export class Problem extends Error {}

/** The `errno` name of a failed system call, or null for anything else that was thrown. */
export function errnoOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' && /^E[A-Z0-9]+$/.test(error.code) ? error.code : null;
}

/**
 * What a person gets to see: `E-RUN-904` for a {@link Refusal}, `E-IO-001`, `E-IO-002` or `E-IO-003` for a
 * failed system call or a {@link Problem}. Programmer faults stay as they are.
 */
export function reported(error: unknown, operation: string, path: string): unknown {
  if (error instanceof Refusal) {
    const refusedAt = error.at ?? path;
    return new MurmurError({
      variant: 'WorkdirPathRefused',
      path,
      refused_at: refusedAt,
      operation,
      reason: error.message,
    });
  }
  if (error instanceof Problem) {
    return new MurmurError({ variant: null, code: 'E-IO-003', operation, path, reason: error.message });
  }
  const errno = errnoOf(error);
  if (error instanceof MurmurError || errno === null) return error;
  const cause = { cause: error };
  const source = osError(error);
  if (errno === 'ENOENT') {
    return new MurmurError({ variant: null, code: 'E-IO-001', what: 'file or directory', path }, cause);
  }
  if (errno === 'EACCES' || errno === 'EPERM') {
    return new MurmurError({ variant: null, code: 'E-IO-002', operation, path, source }, cause);
  }
  return new MurmurError({ variant: null, code: 'E-IO-003', operation, path, reason: source.message }, cause);
}
