/**
 * Values between `mur` and a guest: JSON, with what JSON cannot carry written as `{ "$": tag, "v": text }`. Field
 * names of records are identifiers in camel case, so no honest value has a field `$`.
 */

const TAG = '$';
const MAX_DEPTH = 100;
const typedArrays = {
  Uint8Array,
  Int8Array,
  Uint16Array,
  Int16Array,
  Uint32Array,
  Int32Array,
  BigUint64Array,
  BigInt64Array,
  Float32Array,
  Float64Array,
} as const;
type TypedArrayName = keyof typeof typedArrays;

/** A value that does not fit the wire, or text from the wire that is no value. */
export class UnfitValue extends Error {
  override readonly name = 'UnfitValue';
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

function tagged(tag: string, text: string): Json {
  return { [TAG]: tag, v: text };
}

function encodeNumber(value: number): Json {
  return Number.isFinite(value) && !Object.is(value, -0)
    ? value
    : tagged('number', Object.is(value, -0) ? '-0' : String(value));
}

function encodeView(value: ArrayBufferView): Json {
  const name = Object.prototype.toString.call(value).slice(8, -1);
  if (!Object.hasOwn(typedArrays, name)) throw new UnfitValue(`a ${name} cannot cross`);
  return tagged(name, Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64'));
}

function encode(value: unknown, depth: number): Json {
  if (depth > MAX_DEPTH) throw new UnfitValue('value nested too deeply');
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return encodeNumber(value);
    case 'bigint':
      return tagged('bigint', String(value));
    case 'undefined':
      return tagged('undefined', '');
    case 'object':
      break;
    case 'function':
    case 'symbol':
      throw new UnfitValue(`a ${typeof value} cannot cross`);
  }
  if (value === null) return null;
  if (Array.isArray(value)) return value.map((item) => encode(item, depth + 1));
  if (ArrayBuffer.isView(value)) return encodeView(value);
  const record: { [key: string]: Json } = {};
  for (const [key, field] of Object.entries(value)) {
    if (key === TAG || key === '__proto__') throw new UnfitValue(`a field named ${key} cannot cross`);
    // An absent option is an absent field.
    if (field !== undefined) record[key] = encode(field, depth + 1);
  }
  return record;
}

/** @throws UnfitValue */
export function encodeValue(value: unknown): string {
  return JSON.stringify(encode(value, 0));
}

function decodeView(name: TypedArrayName, text: string): ArrayBufferView {
  const bytes = new Uint8Array(Buffer.from(text, 'base64'));
  const ArrayType = typedArrays[name];
  if (bytes.byteLength % ArrayType.BYTES_PER_ELEMENT !== 0) throw new UnfitValue(`a cut ${name}`);
  return name === 'Uint8Array' ? bytes : new ArrayType(bytes.buffer);
}

function decodeTagged(record: Record<string, unknown>): unknown {
  const { [TAG]: tag, v: text } = record;
  if (typeof tag !== 'string' || typeof text !== 'string') throw new UnfitValue('a malformed tag');
  if (tag === 'undefined') return undefined;
  if (tag === 'bigint') {
    // 64-bit integers have at most 20 characters; parsing a longer text costs quadratic time.
    if (!/^-?\d{1,20}$/.test(text)) throw new UnfitValue('a malformed integer');
    return BigInt(text);
  }
  if (tag === 'number') {
    if (text === '-0') return -0;
    if (text === 'NaN') return Number.NaN;
    if (text === 'Infinity') return Number.POSITIVE_INFINITY;
    if (text === '-Infinity') return Number.NEGATIVE_INFINITY;
    throw new UnfitValue('a malformed number');
  }
  if (Object.hasOwn(typedArrays, tag)) return decodeView(tag as TypedArrayName, text);
  throw new UnfitValue('an unknown tag');
}

/** Replaces tagged records in place. */
function decode(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) throw new UnfitValue('value nested too deeply');
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const item: unknown = value[index];
      if (typeof item === 'object' && item !== null) value[index] = decode(item, depth + 1);
    }
    return value;
  }
  const record = value as Record<string, unknown>;
  if (Object.hasOwn(record, TAG)) return decodeTagged(record);
  for (const key of Object.keys(record)) {
    if (key === '__proto__') throw new UnfitValue('a field named __proto__');
    const field = record[key];
    if (typeof field === 'object' && field !== null) record[key] = decode(field, depth + 1);
  }
  return record;
}

/** Below this size no text can grow into more objects, or nest deeper, than `mur` can afford. */
const COUNTED_FROM_BYTES = 64 * 1024;
const MAX_NODES = 1_000_000;

/**
 * Refuses text whose parsed form would be many times its size: `[[],[],…` of 64 MiB becomes gigabytes of arrays, and
 * deep nesting takes the parser seconds. Looks at what stands outside strings, in one pass over the bytes.
 */
function refuseBombs(bytes: Uint8Array): void {
  if (bytes.length < COUNTED_FROM_BYTES) return;
  let nodes = 0;
  let depth = 0;
  let inString = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (inString) {
      if (byte === 0x5c) index += 1;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x2c) nodes += 1;
    else if (byte === 0x5b || byte === 0x7b) {
      nodes += 1;
      depth += 1;
    } else if (byte === 0x5d || byte === 0x7d) depth -= 1;
    if (nodes > MAX_NODES) throw new UnfitValue('value has too many parts');
    if (depth > MAX_DEPTH + 1) throw new UnfitValue('value nested too deeply');
  }
}

/**
 * Parses what an untrusted guest sent, in bounded memory.
 *
 * @throws UnfitValue
 */
export function decodeValue(bytes: Uint8Array): unknown {
  refuseBombs(bytes);
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch {
    throw new UnfitValue('not JSON');
  }
  return decode(parsed, 0);
}
