/**
 * Whether a name matches a pattern in which `*` stands for any run of characters and `?` for exactly
 * one; everything else stands for itself. Case counts. Takes time proportional to name × pattern at
 * most, whatever the pattern.
 */
export function matchesPattern(name: string, pattern: string): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  let position = 0;
  while (at < name.length) {
    const wanted = pattern[position];
    if (wanted === '*') {
      star = position;
      resume = at;
      position += 1;
    } else if (wanted !== undefined && (wanted === '?' || wanted === name[at])) {
      position += 1;
      at += 1;
    } else if (star !== -1) {
      // The last star takes one character more, and the rest is tried again.
      resume += 1;
      at = resume;
      position = star + 1;
    } else {
      return false;
    }
  }
  while (pattern[position] === '*') position += 1;
  return position === pattern.length;
}
