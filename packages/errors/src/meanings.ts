import { type CatalogEntry, catalog } from './catalog.js';

/** One line for codes that several conditions share. */
const sharedMeanings: Readonly<Record<string, string>> = {
  'E-CAP-009': 'A state store is badly named or not available.',
  'E-CAP-013': 'The name of a tool collides with a built-in tool.',
  'E-IO-001': 'Something that was named does not exist.',
  'E-IO-003': 'An input or output operation failed, or a failure of the host has no class of its own.',
  'E-MAN-003': 'A value in a manifest is not acceptable, or what it refers to is set nowhere.',
  'E-REG-001': 'No source holds the artifact.',
  'E-RUN-001': 'A component does not compile, lacks its interface, trapped, or reached a limit.',
  'E-RUN-003': 'murmur.lock disagrees with the manifest or cannot be used.',
  'E-RUN-006': 'The driver or the harness program is not there.',
  'E-RUN-009': 'A system prompt cannot be read.',
  'E-RUN-020': 'What a parent handed to a delegated capsule cannot be read.',
  'E-RUN-029': 'A driver was built against an interface that is not served.',
  'E-RUN-046': 'A variable of a formation is set where it must not be, or cannot be read.',
};

/** All entries of a code, in the catalog's order. */
export function entriesOf(code: string): readonly CatalogEntry[] {
  return catalog.filter((entry) => entry.code === code);
}

/** One line about a code: the summary of its only entry, or what its entries have in common. */
export function meaningOf(code: string): string {
  const entries = entriesOf(code);
  const only = entries.length === 1 ? entries[0]?.summary : sharedMeanings[code];
  if (only === undefined) throw new Error(`no meaning is written for ${code}`);
  return only;
}
