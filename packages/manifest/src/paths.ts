/**
 * Whether a text can be used as one name inside a directory: not empty, no `/`, no leading dot (so neither
 * `.` nor `..`), no control character. Spec: manifest, scalars.
 */
export function isPathSegment(text: string): boolean {
  return text !== '' && !text.startsWith('.') && !/[/\u0000-\u001f\u007f]/.test(text);
}

/**
 * Whether a text is a path that stays inside the workdir when its `.` and `..` are resolved. `.` is the whole
 * workdir. Says nothing about links: the file system is judged where it is touched.
 */
export function isWorkdirSubpath(text: string): boolean {
  return workdirSubpath(text) !== null;
}

/**
 * The plain form of a path below the workdir: no `.`, `..`, doubled or trailing slashes; `.` for the workdir
 * itself. `null` when the text is blank, absolute, leads outside or holds a NUL.
 */
export function workdirSubpath(text: string): string | null {
  if (text.trim() === '' || text.startsWith('/') || text.includes('\0')) return null;
  const kept: string[] = [];
  for (const segment of text.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') kept.push(segment);
    else if (kept.pop() === undefined) return null;
  }
  return kept.length === 0 ? '.' : kept.join('/');
}
