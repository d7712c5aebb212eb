/** What is wrong in a file of a transcript: which file, which member. */
export class TranscriptProblem extends Error {}

type Fields = Readonly<Record<string, unknown>>;

/** Reads members of a JSON file by hand; every refusal names the file and the member. */
export interface FieldReader {
  text(key: string): string;
  texts(key: string): readonly string[];
  flag(key: string, absent: boolean): boolean;
  /** A whole number, or null. */
  whole(key: string): number | null;
  oneOf<T extends string>(key: string, allowed: readonly T[], absent?: T): T;
  /** Null when the member is null or missing. */
  object(key: string): FieldReader | null;
  objects(key: string): readonly FieldReader[] | null;
  /** Refuses members beside these. */
  only(...keys: readonly string[]): void;
}

export function readFields(value: unknown, where: string): FieldReader {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TranscriptProblem(`${where} must be an object`);
  const fields = value as Fields;
  const wrong = (key: string, wanted: string): never => {
    throw new TranscriptProblem(
      `${where}: ${key} must be ${wanted}, found ${JSON.stringify(fields[key])?.slice(0, 80) ?? 'nothing'}`,
    );
  };
  const missing = (key: string): boolean => fields[key] === undefined || fields[key] === null;
  const whole = (key: string): number | null => {
    const found = fields[key];
    if (missing(key)) return null;
    return Number.isSafeInteger(found) ? (found as number) : wrong(key, 'a whole number or null');
  };
  return {
    text(key) {
      const found = fields[key];
      return typeof found === 'string' ? found : wrong(key, 'text');
    },
    texts(key) {
      const found = missing(key) ? [] : fields[key];
      return Array.isArray(found) && found.every((each) => typeof each === 'string')
        ? found
        : wrong(key, 'a list of texts');
    },
    flag(key, absent) {
      const found = fields[key] ?? absent;
      return typeof found === 'boolean' ? found : wrong(key, 'true or false');
    },
    whole,
    oneOf(key, allowed, absent) {
      const found = fields[key] ?? absent;
      return allowed.find((each) => each === found) ?? wrong(key, `one of ${allowed.join(', ')}`);
    },
    object: (key) => (missing(key) ? null : readFields(fields[key], `${where}: ${key}`)),
    objects(key) {
      const found = fields[key];
      if (missing(key)) return null;
      if (!Array.isArray(found)) return wrong(key, 'a list or null');
      return found.map((each, at) => readFields(each, `${where}: ${key}[${at}]`));
    },
    only(...keys) {
      const unknown = Object.keys(fields).filter((key) => !keys.includes(key));
      if (unknown.length > 0) throw new TranscriptProblem(`${where}: unknown members ${unknown.join(', ')}`);
    },
  };
}
