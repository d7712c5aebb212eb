/** The first fenced `ts` block of a README; null when it has none. */
export function firstExample(readme: string): string | null {
  const match = /^```ts[^\S\n]*\n([\s\S]*?)^```[^\S\n]*$/m.exec(readme);
  return match?.[1] ?? null;
}
