// The engines' own words for an import that nothing supplies; they offer no other sign of it.
const UNSATISFIED =
  /unsatisfied import|unknown import|import (?:is )?not (?:linked|satisfied)|imports? .{0,200}(?:matching implementation was not found|is not linked)|LinkError: .{0,200}Import #\d+|Import #\d+ .{0,200}(?:module|function) is not/is;

/** An interface's name: a back-quoted token that holds `:` or `/`. */
const INTERFACE = /`([^`\s]*[:/][^`\s]*)`/;

/**
 * Reads from a guest's failure whether it is an unsatisfied import, and the interface's name where
 * the text gives it. Null when the failure is something else.
 */
export function unsatisfiedImport(failure: string): { readonly interface: string | null } | null {
  if (!UNSATISFIED.test(failure)) return null;
  return { interface: INTERFACE.exec(failure)?.[1] ?? null };
}
