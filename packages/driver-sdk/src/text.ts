const SURROGATE = /[\ud800-\udfff]/;
const PAIR_OR_LONE = /[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g;

/**
 * The text with every lone surrogate replaced by U+FFFD. A string with a lone surrogate has no UTF-8 form: the
 * guest traps when it crosses the border.
 */
export function wellFormed(text: string): string {
  if (!SURROGATE.test(text)) return text;
  return text.replace(PAIR_OR_LONE, (match) => (match.length === 2 ? match : '\ufffd'));
}

/** The first `maxLength` UTF-16 units of a text, never ending inside a surrogate pair; an ellipsis marks a cut. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const last = text.charCodeAt(maxLength - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength;
  return `${text.slice(0, end)}…`;
}
