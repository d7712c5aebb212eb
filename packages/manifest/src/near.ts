/**
 * The candidate nearest to a misspelt word, or `null` when none is near: at most a third of the longer one's
 * characters apart (at least one), swaps of neighbours counting once. The first of equals wins.
 * Spec: manifest, unknown keys.
 */
export function nearest(word: string, candidates: readonly string[]): string | null {
  const letters = [...word];
  let best: { candidate: string; distance: number } | null = null;
  for (const candidate of candidates) {
    const others = [...candidate];
    const allowed = Math.max(1, Math.floor(Math.max(letters.length, others.length) / 3));
    if (Math.abs(letters.length - others.length) > allowed) continue;
    const distance = editDistance(letters, others);
    if (distance <= allowed && (best === null || distance < best.distance)) best = { candidate, distance };
  }
  return best?.candidate ?? null;
}

/** Restricted Damerau–Levenshtein distance. */
export function editDistance(from: readonly string[], to: readonly string[]): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
