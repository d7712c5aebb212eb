/*
 * Only this module and the two adapters beside it touch what a component returned. The code generated for a component is no more trusted than
 * the component: every value is checked, and an unknown tag or shape is an error, never a guess.
 */

/** A value that the contract does not allow; the message says where and what. */
export class ShapeError extends Error {}

export type Raw = Readonly<Record<string, unknown>>;

export function fail(where: string, expected: string, value: unknown): never {
  const found = value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value;
  throw new ShapeError(`${where} must be ${expected}, found ${found}`);
}
export function record(value: unknown, where: string): Raw {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return fail(where, 'a record', value);
  return value as Raw;
}
export function list(value: unknown, where: string): readonly unknown[] {
  return Array.isArray(value) ? value : fail(where, 'a list', value);
}
export function text(value: unknown, where: string): string {
  return typeof value === 'string' ? value : fail(where, 'text', value);
}
export function flag(value: unknown, where: string): boolean {
  return typeof value === 'boolean' ? value : fail(where, 'a boolean', value);
}
export function texts(value: unknown, where: string): string[] {
  return list(value, where).map((item, index) => text(item, `${where}[${index}]`));
}
export function optional<T>(value: unknown, read: (value: unknown) => T): T | undefined {
  return value === undefined || value === null ? undefined : read(value);
}
export function oneOf<T extends string>(value: unknown, allowed: readonly T[], where: string): T {
  const found = allowed.find((candidate) => candidate === value);
  return found ?? fail(where, `one of ${allowed.join(', ')}`, value);
}
export function bytes(value: unknown, where: string): Uint8Array {
  return value instanceof Uint8Array ? value : fail(where, 'bytes', value);
}
/** A `u64` as a safe integer; above 2^53−1 it saturates. */
export function count(value: unknown, where: string): number {
  if (typeof value === 'bigint' && value >= 0n)
    return Number(value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : value);
  if (typeof value === 'number' && value >= 0 && Number.isInteger(value))
    return Math.min(value, Number.MAX_SAFE_INTEGER);
  return fail(where, 'a count', value);
}
export function number(value: unknown, where: string): number {
  return typeof value === 'number' ? value : fail(where, 'a number', value);
}
export function variant(value: unknown, where: string): { readonly tag: string; readonly val: unknown } {
  const raw = record(value, where);
  return { tag: text(raw.tag, `${where}.tag`), val: raw.val };
}
/** Copies only the members that are there, so that absent stays absent. */
export function present<T>(members: { readonly [K in keyof T]: T[K] | undefined }): Partial<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>;
}
