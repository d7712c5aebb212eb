/** Which names a session resolved to which addresses, and until when that counts. */
export interface Bindings {
  /** `lasting`: for the whole session. */
  readonly remember: (address: string, name: string, lifetime: 'lasting' | 'bounded') => void;
  /** The names of an address that still count. */
  readonly namesOf: (address: string) => readonly string[];
}

/**
 * Bindings with a lifetime and a ceiling. Forgetting is safe: a connection to a forgotten address is refused
 * until its name is asked for again. Lasting ones come from the rules alone and are not counted.
 */
export function createBindings(limits: {
  readonly bindingMs: number;
  readonly bindings: number;
  readonly clock: () => number;
}): Bindings {
  const lasting = new Map<string, Set<string>>();
  // Keyed by both, oldest first, so that one address with many names cannot slip past the ceiling.
  const bounded = new Map<string, { address: string; name: string; until: number }>();
  const byAddress = new Map<string, Set<string>>();

  const forget = (key: string): void => {
    const entry = bounded.get(key);
    if (entry === undefined) return;
    bounded.delete(key);
    const names = byAddress.get(entry.address);
    names?.delete(entry.name);
    if (names?.size === 0) byAddress.delete(entry.address);
  };

  return {
    remember(address, name, lifetime) {
      if (lifetime === 'lasting') {
        addTo(lasting, address, name);
        return;
      }
      const key = `${address} ${name}`;
      forget(key);
      bounded.set(key, { address, name, until: limits.clock() + limits.bindingMs });
      addTo(byAddress, address, name);
      for (const oldest of bounded.keys()) {
        if (bounded.size <= limits.bindings) break;
        forget(oldest);
      }
    },
    namesOf(address) {
      const now = limits.clock();
      for (const name of [...(byAddress.get(address) ?? [])]) {
        const key = `${address} ${name}`;
        if ((bounded.get(key)?.until ?? 0) <= now) forget(key);
      }
      return [...new Set([...(lasting.get(address) ?? []), ...(byAddress.get(address) ?? [])])];
    },
  };
}

function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([value]));
  else set.add(value);
}
