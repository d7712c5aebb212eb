import { type NamedShape, SHAPES, type Shape } from './generated/contract.js';
import { wellFormed } from './text.js';

/** A value that does not fit the contract: where in it, and what was wanted. */
export class ShapeMismatch extends Error {
  constructor(
    readonly path: string,
    readonly problem: string,
  ) {
    super(path === '' ? problem : `${path}: ${problem}`);
  }
}

/**
 * Checks a value against a type of the contract and returns a clean copy: only the members the contract knows,
 * strings without lone surrogates, numbers inside their range, `null` options as `undefined`. A value handed over
 * unchecked would trap the instance and lose the whole turn; a mismatch found here costs one event.
 *
 * @throws ShapeMismatch
 */
export function conform(shape: Shape, value: unknown): unknown {
  switch (shape) {
    case 'string':
      if (typeof value !== 'string') throw mismatch('a string', value);
      return wellFormed(value);
    case 'bool':
      if (typeof value !== 'boolean') throw mismatch('a boolean', value);
      return value;
    case 'u32':
      return wholeNumber(value, 0, 0xffffffff);
    case 's32':
      return wholeNumber(value, -0x80000000, 0x7fffffff);
    case 'u64':
      // A plain number, never a BigInt: the engine of the guest traps on one.
      return wholeNumber(value, 0, Number.MAX_SAFE_INTEGER);
    case 'f64':
      if (typeof value !== 'number') throw mismatch('a number', value);
      return value;
    case 'bytes':
      if (value instanceof Uint8Array) return value;
      throw mismatch('bytes', value);
  }
  if ('option' in shape)
    return value === undefined || value === null ? undefined : conform(shape.option, value);
  if ('list' in shape) {
    if (!Array.isArray(value)) throw mismatch('a list', value);
    return conformItems(value, () => shape.list);
  }
  if ('tuple' in shape) {
    if (!Array.isArray(value) || value.length !== shape.tuple.length)
      throw mismatch(`a list of ${shape.tuple.length}`, value);
    return conformItems(value, (at) => shape.tuple[at] ?? 'string');
  }
  return conformNamed(namedShape(shape.ref), shape.ref, value);
}

function conformItems(items: readonly unknown[], shapeAt: (at: number) => Shape): unknown[] {
  let at = 0;
  try {
    const copy: unknown[] = [];
    for (; at < items.length; at++) copy.push(conform(shapeAt(at), items[at]));
    return copy;
  } catch (error) {
    throw within(String(at), error);
  }
}

function conformNamed(named: NamedShape, name: string, value: unknown): unknown {
  if (named.kind === 'enum') {
    if (typeof value === 'string' && named.cases.includes(value)) return value;
    throw mismatch(`one of ${named.cases.join(', ')}`, value);
  }
  if (typeof value !== 'object' || value === null) throw mismatch(`a ${name}`, value);
  const members = value as Readonly<Record<string, unknown>>;
  let at = 'tag';
  try {
    if (named.kind === 'record') {
      const copy: Record<string, unknown> = {};
      for (const [field, fieldShape] of named.fields) {
        at = field;
        copy[field] = conform(fieldShape, members[field]);
      }
      return copy;
    }
    const tag = members.tag;
    if (typeof tag !== 'string' || !Object.hasOwn(named.cases, tag)) throw mismatch(`a case of ${name}`, tag);
    const payload = named.cases[tag] ?? null;
    at = tag;
    return payload === null ? { tag } : { tag, val: conform(payload, members.val) };
  } catch (error) {
    throw within(at, error);
  }
}

function namedShape(name: string): NamedShape {
  const named = SHAPES[name];
  if (named === undefined) throw new Error(`the contract has no type ${name}`);
  return named;
}

function wholeNumber(value: unknown, lowest: number, highest: number): number {
  const given = typeof value === 'bigint' ? Number(value) : value;
  if (typeof given !== 'number' || Number.isNaN(given) || given < lowest)
    throw mismatch(`a whole number from ${lowest}`, value);
  return given > highest ? highest : Math.trunc(given);
}

function mismatch(wanted: string, value: unknown): ShapeMismatch {
  const got = value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value;
  return new ShapeMismatch('', `${wanted} was expected, got ${typeof value === 'number' ? value : got}`);
}

function within(key: string, error: unknown): unknown {
  if (!(error instanceof ShapeMismatch)) return error;
  return new ShapeMismatch(error.path === '' ? key : `${key}.${error.path}`, error.problem);
}
