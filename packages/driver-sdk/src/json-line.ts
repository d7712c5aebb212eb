/** A JSON object read from a line. Members are unknown: read them with the getters below. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Deepest nesting that is parsed. The engine of the guest recurses per level and overflows its host's stack at a
 * few thousand, which no `try` catches: a hostile line must not get that far.
 */
export const MAX_JSON_DEPTH = 128;

/** The line as a JSON object; `undefined` when it is anything else. Never throws. */
export function readJsonObject(line: string): JsonObject | undefined {
  const value = readJson(line);
  return isJsonObject(value) ? value : undefined;
}

/** The text as a JSON value; `undefined` when it is none or nested deeper than `MAX_JSON_DEPTH`. Never throws. */
export function readJson(text: string): unknown {
  if (nestsTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A value as compact JSON text; `null` for what JSON cannot say. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member, when it is a string. Missing and mistyped are the same: absent. */
export function stringMember(object: JsonObject | undefined, key: string): string | undefined {
  const value = member(object, key);
  return typeof value === 'string' ? value : undefined;
}

/** The member, when it is a finite number. */
export function numberMember(object: JsonObject | undefined, key: string): number | undefined {
  const value = member(object, key);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The member, when it is a count: a whole number from 0 to 2^53−1. */
export function countMember(object: JsonObject | undefined, key: string): number | undefined {
  const value = member(object, key);
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** The member, when it is true or false. */
export function booleanMember(object: JsonObject | undefined, key: string): boolean | undefined {
  const value = member(object, key);
  return typeof value === 'boolean' ? value : undefined;
}

/** The member, when it is an object. */
export function objectMember(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = member(object, key);
  return isJsonObject(value) ? value : undefined;
}

/** The member, when it is a list. */
export function listMember(object: JsonObject | undefined, key: string): readonly unknown[] | undefined {
  const value = member(object, key);
  return Array.isArray(value) ? value : undefined;
}

function member(object: JsonObject | undefined, key: string): unknown {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

function nestsTooDeep(text: string): boolean {
  if (text.length <= MAX_JSON_DEPTH || countOpeners(text) <= MAX_JSON_DEPTH) return false;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (inString) {
      if (unit === 0x5c) at++;
      else if (unit === 0x22) inString = false;
    } else if (unit === 0x22) inString = true;
    else if (unit === 0x5b || unit === 0x7b) {
      if (++depth > MAX_JSON_DEPTH) return true;
    } else if (unit === 0x5d || unit === 0x7d) depth--;
  }
  return false;
}

/** Brackets that open, strings included: an upper bound that is cheap, since most lines have few. */
function countOpeners(text: string): number {
  let count = 0;
  for (const opener of ['[', '{'])
    for (
      let at = text.indexOf(opener);
      at !== -1 && count <= MAX_JSON_DEPTH;
      at = text.indexOf(opener, at + 1)
    )
      count++;
  return count;
}
