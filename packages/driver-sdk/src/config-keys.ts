import type { LaunchRequest } from './generated/contract.js';
import { booleanMember, countMember, type JsonObject, listMember, stringMember } from './json-line.js';
import { readDriverConfig } from './launch.js';

/**
 * Typed access to a driver's part of the manifest. An absent key is `undefined`; a key with a value of another kind
 * throws an `Error` that names it, and the launch is refused with that text.
 */
export interface DriverConfigKeys<Key extends string> {
  /** The whole mapping, for values of no common kind. */
  readonly mapping: JsonObject;
  /** A text that matches; `wanted` says in words what would be right. */
  text(key: Key, pattern: RegExp, wanted: string): string | undefined;
  /** A list of texts that all match. */
  texts(key: Key, pattern: RegExp, wanted: string): readonly string[] | undefined;
  flag(key: Key): boolean | undefined;
  choice(key: Key, choices: readonly string[]): string | undefined;
  /** A whole number from `least` to `most`. */
  count(key: Key, least: number, most: number): number | undefined;
}

/** The refusal of a key of `inference.driver.config` that has no usable value. */
export function unusableConfigKey(key: string, wanted: string): Error {
  return new Error(`inference.driver.config.${key} must be ${wanted}`);
}

/** @throws Error naming each key the driver does not know. */
export function readConfigKeys<Key extends string>(
  request: LaunchRequest,
  knownKeys: readonly Key[],
): DriverConfigKeys<Key> {
  const mapping = readDriverConfig(request, knownKeys);
  const usable = <Value>(key: Key, value: Value | undefined, wanted: string): Value | undefined => {
    if (value === undefined && Object.hasOwn(mapping, key)) throw unusableConfigKey(key, wanted);
    return value;
  };
  const matching = (value: unknown, pattern: RegExp): value is string =>
    typeof value === 'string' && pattern.test(value) && !value.includes('\0');
  return {
    mapping,
    text(key, pattern, wanted) {
      const value = stringMember(mapping, key);
      return usable(key, matching(value, pattern) ? value : undefined, wanted);
    },
    texts(key, pattern, wanted) {
      const values = listMember(mapping, key);
      const matches = values?.filter((value) => matching(value, pattern));
      return usable(key, matches?.length === values?.length ? matches : undefined, wanted);
    },
    flag: (key) => usable(key, booleanMember(mapping, key), 'true or false'),
    choice(key, choices) {
      const value = stringMember(mapping, key);
      const known = value !== undefined && choices.includes(value) ? value : undefined;
      return usable(key, known, `one of ${choices.join(', ')}`);
    },
    count(key, least, most) {
      const value = countMember(mapping, key);
      const inside = value !== undefined && value >= least && value <= most ? value : undefined;
      return usable(key, inside, `a whole number from ${least} to ${most}`);
    },
  };
}
