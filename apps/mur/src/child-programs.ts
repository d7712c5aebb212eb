import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Programs that run in child processes: they lie beside the bundled entry, whichever chunk asks. */
export function childPrograms(): { readonly guestEntry: string; readonly transpileEntry: string } {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const root = path.basename(here) === 'chunks' ? path.dirname(here) : here;
  return { guestEntry: path.join(root, 'guest.js'), transpileEntry: path.join(root, 'transpile.js') };
}
