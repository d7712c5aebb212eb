import { diagnose, isMurmurError, osError, renderError } from '@murmur/errors';

/** The text of any failure as a person sees it; a fault without a code of its own becomes the catch-all entry. */
export function failureText(error: unknown): string {
  if (isMurmurError(error)) return renderError(error.diagnostic);
  return renderError(diagnose({ variant: 'Runtime', message: osError(error).message }));
}
