/**
 * Printable ASCII without quotes, backquote and backslash. The transpiler pastes names between quotes into the
 * JavaScript it generates without escaping them: with one of these characters a component writes code of its own.
 */
const SAFE_NAME = /^[ !#-&(-[\]-_a-~]*$/;

/** The first name that could leave a JavaScript string literal, or null. */
export function firstUnsafeName(names: Iterable<string>): string | null {
  for (const name of names) if (!SAFE_NAME.test(name)) return name;
  return null;
}
