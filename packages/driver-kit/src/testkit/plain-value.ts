/**
 * A value of the contract as the SDK's types have it: counts as numbers (saturated at 2^53−1), absent members gone, so
 * that answers of a component and of plain JavaScript compare equal.
 */
export function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint')
    return Number(value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : value);
  if (value instanceof Uint8Array) return new Uint8Array(value);
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => [key, plainValue(member)]),
  );
}
