import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Directory of the bundled files, whichever chunk asks. */
export function distDirectory(): string {
  const here = path.dirname(fileURLToPath(import.meta.url));
  return path.basename(here) === 'chunks' ? path.dirname(here) : here;
}

/** Programs that run in child processes: they lie beside the bundled entry. */
export function childPrograms(): { readonly guestEntry: string; readonly transpileEntry: string } {
  const root = distDirectory();
  return { guestEntry: path.join(root, 'guest.js'), transpileEntry: path.join(root, 'transpile.mjs') };
}
