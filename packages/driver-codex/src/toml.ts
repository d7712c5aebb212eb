import { isJsonObject } from '@murmur/driver-sdk';

/** A key as TOML writes it: bare where it can be, else quoted. */
export function tomlKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : tomlString(key);
}

/** A JSON value as a TOML value on one line; `undefined` for `null`, which TOML does not have. */
export function tomlValue(value: unknown): string | undefined {
  if (typeof value === 'string') return tomlString(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? tomlNumber(value) : undefined;
  if (Array.isArray(value)) return joined(value.map(tomlValue), '[', ']');
  if (isJsonObject(value))
    return joined(
      Object.entries(value).map(([key, member]) => {
        const text = tomlValue(member);
        return text === undefined ? undefined : `${tomlKey(key)} = ${text}`;
      }),
      '{ ',
      ' }',
    );
  return undefined;
}

function joined(parts: readonly (string | undefined)[], open: string, close: string): string | undefined {
  return parts.includes(undefined) ? undefined : open + parts.join(', ') + close;
}

/** JavaScript's exponent form (`1e21`) is a float in TOML too, and a plain number may stand as it is. */
function tomlNumber(value: number): string {
  return Object.is(value, -0) ? '0' : String(value);
}

/** JSON's escapes are all TOML escapes; TOML wants DEL escaped as well, JSON does not. */
function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007F');
}
