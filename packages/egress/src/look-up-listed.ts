import type { Bindings } from './bindings.js';
import type { LookUpName, NameLookup } from './resolve-name.js';
import type { ListedName } from './types.js';

const AT_ONCE = 8;

/** Looks up the names of the rules, a few at a time, and ties what is found to them for the whole session. */
export async function lookUpListed(options: {
  readonly names: readonly string[];
  readonly lookUp: LookUpName;
  readonly bindings: Bindings;
}): Promise<readonly ListedName[]> {
  const results: ListedName[] = [];
  for (let start = 0; start < options.names.length; start += AT_ONCE) {
    const some = options.names.slice(start, start + AT_ONCE);
    results.push(...(await Promise.all(some.map((name) => lookUpOne(name, options)))));
  }
  return results;
}

async function lookUpOne(
  name: string,
  { lookUp, bindings }: { lookUp: LookUpName; bindings: Bindings },
): Promise<ListedName> {
  const both = await Promise.all([lookUp(name, 4), lookUp(name, 6)]);
  const addresses = both.flatMap((lookup) => lookup.addresses.map(({ text }) => text));
  for (const address of addresses) bindings.remember(address, name, 'lasting');
  return { name, outcome: outcomeOf(both, addresses.length), addresses };
}

function outcomeOf(both: readonly NameLookup[], found: number): ListedName['outcome'] {
  if (found > 0) return 'found';
  if (both.some(({ refused }) => refused.length > 0)) return 'refused';
  if (both.some(({ outcome }) => outcome === 'failed')) return 'failed';
  return 'no-address';
}
