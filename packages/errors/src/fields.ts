/** What a condition's fields hold, described once for the type checker and for the printed catalog. */

/** How strongly a run is contained, weakest first. */
export type ContainmentClass = 'advisory' | 'scoped' | 'sealed';

/** The operating system's error: its symbolic code (`ENOENT`) and its text. */
export interface OsError {
  readonly code: string;
  readonly message: string;
}

/** A `shell.allow` script whose interpreter cannot reach its packages under `sealed`. */
export interface UnreachableEntrypoint {
  /** The allow entry as written. */
  readonly binary: string;
  /** The first match on `PATH`. */
  readonly resolved_path: string;
  /** The interpreter its `#!` line names, one `env NAME` followed. */
  readonly interpreter: string;
}

/** An `env.allow` name that never reaches a guest, and the pattern that takes it away. */
export interface StrippedEnvAllowEntry {
  readonly name: string;
  readonly pattern: string;
  readonly source: 'credential backstop' | 'capabilities.shell.strip_env';
}

/** One need of a harness that the manifest does not allow. */
export interface RefusedNeed {
  readonly need: string;
  readonly reason: string;
}

/** A manifest key and where it stands (1-based). */
export interface KeyPosition {
  readonly key: string;
  readonly line: number;
  readonly column: number;
}

/** What one source answered when an artifact was looked for. */
export interface SourceOutcome {
  readonly source: string;
  readonly outcome: string;
}

/** A formation member that did not come up. */
export interface FailedMember {
  readonly name: string;
  readonly capsule: string;
  readonly version: string;
  readonly reason: string;
  readonly stderr: readonly string[];
}

/** A process that was stopped again while a launch was undone. */
export interface StoppedMember {
  readonly name: string;
  readonly pid: number;
}

/** A field of an entry: its type as printed, and a stand-in value for templates. */
export interface Field<T> {
  readonly type: string;
  /** Whether line breaks in the value are kept when it is shown. */
  readonly lines: 'one' | 'many';
  readonly placeholder: (name: string) => T;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;

/** The values an entry's fields take. */
export type ValuesOf<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never;
};

/** A value kept on one line: names, paths, keys. */
export const text: Field<string> = { type: 'string', lines: 'one', placeholder: (name) => `<${name}>` };

/** A value that may run over several lines: reasons, quoted output. */
export const prose: Field<string> = { ...text, lines: 'many' };

export const number: Field<number> = {
  type: 'number',
  lines: 'one',
  // Templates print the name where the figure goes; entries only ever interpolate numbers.
  placeholder: (name) => `<${name}>` as unknown as number,
};

export const flag: Field<boolean> = { type: 'boolean', lines: 'one', placeholder: () => true };

export const textList: Field<readonly string[]> = {
  type: 'string[]',
  lines: 'one',
  placeholder: (name) => [`<${name}>`],
};

export const containmentClass: Field<ContainmentClass> = {
  type: 'ContainmentClass',
  lines: 'one',
  placeholder: (name) => `<${name}>` as unknown as ContainmentClass,
};

export const osErrorField: Field<OsError> = {
  type: 'OsError',
  lines: 'one',
  placeholder: (name) => ({ code: `<${name}.code>`, message: `<${name}.message>` }),
};

/** A field that may be absent: `null`, never an empty string. */
export function optional<T>(field: Field<T>): Field<T | null> {
  return { ...field, type: `${field.type} | null` };
}

/** A field that takes one of the listed words. */
export function oneOf<const W extends string>(...words: readonly W[]): Field<W> {
  return {
    type: words.map((word) => JSON.stringify(word)).join(' | '),
    lines: 'one',
    placeholder: (name) => `<${name}>` as unknown as W,
  };
}

/** A list of records; `keys` are the names each record carries. */
export function listOf<T extends object>(
  type: string,
  keys: readonly (keyof T & string)[],
): Field<readonly T[]> {
  return {
    type: `${type}[]`,
    lines: 'one',
    placeholder: (name) => [Object.fromEntries(keys.map((key) => [key, `<${name}.${key}>`])) as unknown as T],
  };
}
