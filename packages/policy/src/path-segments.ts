import path from 'node:path';

/**
 * Whether an absolute path is another one or lies below it, by whole segments: `/work-evil` is not
 * below `/work`. Both are taken as they are written, without links being followed.
 */
export function isSameOrBelow(inner: string, outer: string): boolean {
  const relative = path.posix.relative(outer, inner);
  return relative === '' || (relative !== '..' && !relative.startsWith('../'));
}

/** `~` and `~/…` below a home directory; other absolute paths as they are, in plain form. Null for anything else. */
export function expandHome(text: string, home: string): string | null {
  if (text.includes('\0') || text.split('/').includes('..')) return null;
  const absolute = text === '~' ? home : text.startsWith('~/') ? path.posix.join(home, text.slice(2)) : text;
  if (!absolute.startsWith('/')) return null;
  const plain = path.posix.normalize(absolute);
  return plain.length > 1 && plain.endsWith('/') ? plain.slice(0, -1) : plain;
}
