const REFERENCE = /^\$\{([A-Z_][A-Z0-9_]*)\}$/;
const NAME = /^[A-Z_][A-Z0-9_]*$/;

/** The NAME of a text that is exactly `${NAME}`; `null` for a literal. Spec: manifest, references. */
export function referenceName(text: string): string | null {
  return REFERENCE.exec(text)?.[1] ?? null;
}

/** Whether a text can be the NAME of a `${NAME}` reference. */
export function isReferenceName(text: string): boolean {
  return NAME.test(text);
}

/**
 * The text itself, or what `lookup` says for a text that is exactly `${NAME}`; `undefined` when it says
 * nothing or an empty text. Nothing inside a longer text is replaced.
 */
export function expandReference(
  text: string,
  lookup: (name: string) => string | undefined,
): string | undefined {
  const name = referenceName(text);
  if (name === null) return text;
  const found = lookup(name);
  return found === '' ? undefined : found;
}
