/** Longest text of one field, characters: more than the tail of a harness's stderr, less than a flood. */
const MAX_FIELD_CHARS = 6_000;
/** Longest message and longest remedy, characters. */
const MAX_TEXT_CHARS = 12_000;
/** What is looked at of a field at all, characters, before anything costly is done with it. */
const MAX_READ_CHARS = 64 * 1024;

function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const kept = text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, '');
  return `${kept}… (${text.length - kept.length} more characters)`;
}

/** The part of a field that is read at all. */
export function readablePart(text: string): string {
  return text.length <= MAX_READ_CHARS ? text : text.slice(0, MAX_READ_CHARS);
}

/** A field as it may stand in a text: one that a guest or a file fills at will must not bury what is said. */
export function boundField(text: string): string {
  return cut(text, MAX_FIELD_CHARS);
}

/** A whole message or remedy: a list of many fields has its end as well. */
export function boundText(text: string): string {
  return cut(text, MAX_TEXT_CHARS);
}
