/** A place in a JSON value: the keys that lead to it. */
export type JsonPath = readonly (string | number)[];

/** Brackets that mark a line as nested deeper than a recursive walk may go: `deepJson` made it, no harness did. */
const DEEP = /[[{]{60}|(?:\{"a":){60}/;

/** The line as a JSON object; undefined when it is none, or too deep to be walked. */
export function jsonObjectOf(line: string): Readonly<Record<string, unknown>> | undefined {
  if (DEEP.test(line)) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Every place in a value but its root, outermost first. */
export function placesOf(value: unknown): readonly JsonPath[] {
  const places: JsonPath[] = [];
  const walk = (at: unknown, path: JsonPath): void => {
    if (typeof at !== 'object' || at === null) return;
    for (const [key, member] of Object.entries(at)) {
      const place = [...path, Array.isArray(at) ? Number(key) : key];
      places.push(place);
      walk(member, place);
    }
  };
  walk(value, []);
  return places;
}

/** A copy of the value with another one at that place. */
export function replacedAt(value: unknown, place: JsonPath, other: unknown): unknown {
  const [key, ...rest] = place;
  if (key === undefined) return other;
  if (Array.isArray(value))
    return value.map((each, at) => (at === key ? replacedAt(each, rest, other) : each));
  return Object.fromEntries(
    Object.entries(value as object).map(([name, member]) => [
      name,
      name === key ? replacedAt(member, rest, other) : member,
    ]),
  );
}

export function valueAt(value: unknown, place: JsonPath): unknown {
  return place.reduce<unknown>((at, key) => (at as Readonly<Record<string | number, unknown>>)[key], value);
}

/** The line with the value at one place of another type; a line that is no JSON object stays as it is. */
export function retyped(line: string, member: number, value: unknown): string {
  const object = jsonObjectOf(line);
  if (object === undefined) return line;
  const places = placesOf(object);
  const place = places[member % Math.max(places.length, 1)];
  if (place === undefined) return line;
  const other = typeOf(value) === typeOf(valueAt(object, place)) ? otherType(value) : value;
  return JSON.stringify(replacedAt(object, place, other));
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

function otherType(value: unknown): unknown {
  return typeof value === 'number' ? String(value) : typeof value === 'string' ? { text: value } : 7;
}

/** The line under a type that no harness has; a line without one gets it. */
export function withUnknownType(line: string): string {
  const object = jsonObjectOf(line);
  return object === undefined ? `unknown: ${line}` : JSON.stringify({ ...object, type: 'x-never-heard-of' });
}

/** The line with one byte that is no UTF-8, decoded as the runtime decodes it. */
export function pokedBytes(line: string, byte: number): string {
  const bytes = Buffer.from(line, 'utf8');
  if (bytes.length === 0) return '\ufffd';
  bytes[byte % bytes.length] = 0xff;
  return bytes.toString('utf8');
}

/** JSON nested deeper than most readers go: a real line with one such member, or nothing else. */
export function deepJson(line: string | undefined, depth: number): string {
  const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
  return line?.startsWith('{') === true && line.length > 2 ? `{"deep":${nested},${line.slice(1)}` : nested;
}
