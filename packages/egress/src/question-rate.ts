/**
 * A bucket that refills with time: how many DNS questions a program may still ask. Each answer of yes takes one.
 */
export function createQuestionRate(perSecond: number, clock: () => number): () => boolean {
  let left = perSecond;
  let last = clock();
  return () => {
    const now = clock();
    left = Math.min(perSecond, left + (Math.max(0, now - last) * perSecond) / 1_000);
    last = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
