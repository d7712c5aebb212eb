import type { OsError } from './fields.js';

/** An artifact as `name@version`. */
export function coordinate(artifact: { readonly name: string; readonly version: string }): string {
  return `${artifact.name}@${artifact.version}`;
}

/** The command that installs an artifact: artifacts come from archives, not by name. */
export function installCommand(artifact: { readonly name: string; readonly version: string }): string {
  const bare = artifact.name.slice(artifact.name.lastIndexOf('/') + 1);
  return `mur install path/to/${bare}-${artifact.version}.mur.zip`;
}

/** The operating system's words followed by its code. */
export function osText(source: OsError): string {
  return `${source.message} (${source.code})`;
}

/** `'a', 'b'` */
export function quotedList(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(', ');
}

/** `a (b)` or `a`, when there is no `b`. */
export function withAside(main: string, aside: string | null): string {
  return aside === null ? main : `${main} (${aside})`;
}

/** `file:line:column`, as far as the position is known. */
export function place(file: string, line: number | null, column: number | null): string {
  if (line === null) return file;
  return column === null ? `${file}:${line}` : `${file}:${line}:${column}`;
}

/** Indents quoted output under an error, below the continuation lines. */
export function quotedOutput(lines: readonly string[]): string {
  return lines.map((line) => `\n    ${line}`).join('');
}
