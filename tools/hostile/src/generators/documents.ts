import { stringify } from 'yaml';
import type { Generator, Outcome } from '../generator.js';
import { mutateValue } from '../mutate/mutate-value.js';
import { playTricks } from '../mutate/yaml-tricks.js';
import { outcomeOf } from '../outcome.js';
import type { Random } from '../random.js';

/** A valid document as plain data, or as text where the format is no YAML. */
export type SeedDocument = string | Readonly<Record<string, unknown>>;

function written(document: unknown, random: Random): string {
  // JSON is YAML too, and the other way to write every document.
  if (random.oneIn(4)) return JSON.stringify(document, null, random.int(3)) ?? 'null';
  try {
    return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
  } catch {
    // What the writer cannot put down, JSON can or leaves out.
    return JSON.stringify(document) ?? 'null';
  }
}

/** The bytes of a valid document after changes to its structure and its text. */
export function hostileDocument(documents: readonly SeedDocument[], random: Random): Buffer {
  const document = random.pick(documents);
  if (typeof document === 'string') return playTricks(document, random);
  const mutated = random.oneIn(8) ? document : mutateValue(document, random);
  return playTricks(written(mutated, random), random);
}

/** A generator that feeds mutated documents to a reader in this process. */
export function documentGenerator(options: {
  readonly name: string;
  readonly title: string;
  readonly documents: readonly SeedDocument[];
  readonly read: (input: Uint8Array | string, random: Random) => Outcome;
}): Generator {
  return {
    name: options.name,
    title: options.title,
    share: 1,
    caseLimitMs: 20_000,
    async open() {
      return {
        tryCase(random) {
          const bytes = hostileDocument(options.documents, random);
          const input = random.oneIn(2) ? bytes : bytes.toString('utf8');
          return outcomeOf(() => options.read(input, random));
        },
        [Symbol.asyncDispose]: async () => undefined,
      };
    },
  };
}
