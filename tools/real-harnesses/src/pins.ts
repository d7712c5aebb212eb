import { readFileSync } from 'node:fs';

/** One pinned harness: the npm package and where its native binary lies below the install directory. */
export interface HarnessPin {
  readonly package: string;
  readonly version: string;
  /** By `<platform>-<arch>`. */
  readonly binaries: Readonly<Record<string, string>>;
}

/** The pin of a harness, from `harnesses.json`. Throws when there is none. */
export function pinOf(name: string): HarnessPin {
  const pins = JSON.parse(readFileSync(new URL('../harnesses.json', import.meta.url), 'utf8')) as Readonly<
    Record<string, HarnessPin>
  >;
  const pin = pins[name];
  if (pin === undefined) throw new Error(`harnesses.json pins no harness called ${name}`);
  return pin;
}
