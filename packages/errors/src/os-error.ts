import type { OsError } from './fields.js';

/**
 * The operating system's error behind a thrown value, as data. Node's `ENOENT: no such file or
 * directory, open '/x'` becomes code `ENOENT` and its text alone: the catalog's messages name
 * operation and path themselves. A value that carries no code gets `EUNKNOWN`.
 */
export function osError(error: unknown): OsError {
  if (!(error instanceof Error)) return { code: 'EUNKNOWN', message: String(error) };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'EUNKNOWN';
  const prefix = `${code}: `;
  if (!error.message.startsWith(prefix)) return { code, message: error.message };
  const syscall = 'syscall' in error && typeof error.syscall === 'string' ? `, ${error.syscall}` : null;
  const end = syscall === null ? -1 : error.message.indexOf(syscall);
  return { code, message: error.message.slice(prefix.length, end > prefix.length ? end : undefined) };
}
