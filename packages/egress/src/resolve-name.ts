import { type Address, parseAddress } from './address.js';
import { classifyAddress } from './address-class.js';
import type { EgressLimits, NameAnswer, NameResolver } from './types.js';

/** What a listed name leads to, after the addresses it may not lead to were taken out. */
export interface NameLookup {
  readonly outcome: NameAnswer['outcome'];
  readonly addresses: readonly Address[];
  /** Canonical texts of what was taken out. */
  readonly refused: readonly string[];
  readonly ttlSeconds: number;
}

export type LookUpName = (name: string, family: 4 | 6) => Promise<NameLookup>;

const LOOPBACK = { 4: '127.0.0.1', 6: '::1' } as const;

/** Whether a name is the one that stands for the loopback addresses; nobody outside is asked about it. */
export function isLocalhost(name: string): boolean {
  return name === 'localhost';
}

/** The addresses that `localhost` stands for: a rule that lists it lists them. */
export function isLocalhostAddress(address: Address): boolean {
  return address.text === LOOPBACK[address.family];
}

/**
 * Looks names up through the resolver, at most once at a time and once per lifetime for each name and family,
 * so that a program cannot make the host ask more often than that. Never rejects.
 */
export function createLookup(options: {
  readonly resolve: NameResolver;
  readonly limits: EgressLimits;
  readonly clock: () => number;
  readonly isHostAddress: (text: string) => boolean;
  /** Whether the rules list an address as such. */
  readonly isListed: (address: string) => boolean;
}): LookUpName {
  const { limits, clock } = options;
  const running = new Map<string, Promise<NameLookup>>();
  const kept = new Map<string, { lookup: NameLookup; until: number }>();

  const ask = async (name: string, family: 4 | 6, key: string): Promise<NameLookup> => {
    const lookup = checked(await answerInTime(options.resolve, name, family, limits.resolveMs), family);
    if (lookup.outcome === 'found') keep(key, lookup);
    return lookup;
  };

  const keep = (key: string, lookup: NameLookup): void => {
    kept.delete(key);
    kept.set(key, { lookup, until: clock() + lookup.ttlSeconds * 1_000 });
    for (const oldest of kept.keys()) {
      if (kept.size <= limits.bindings) break;
      kept.delete(oldest);
    }
  };

  const checked = (answer: NameAnswer, family: 4 | 6): NameLookup => {
    if (answer.outcome !== 'found') return { ...NOTHING, outcome: answer.outcome };
    const addresses = new Map<string, Address>();
    const refused = new Set<string>();
    for (const text of answer.addresses) {
      const address = parseAddress(text);
      // A mapped answer to an IPv6 question is an IPv4 address, which the reply cannot carry.
      if (address === null || address.family !== family) continue;
      if (!mayLeadTo(address)) refused.add(address.text);
      else if (addresses.size < limits.addressesPerAnswer) addresses.set(address.text, address);
    }
    const { shortestTtlSeconds: shortest, longestTtlSeconds: longest } = limits;
    const told = answer.ttlSeconds ?? longest;
    const ttlSeconds = Number.isFinite(told)
      ? Math.max(shortest, Math.min(longest, Math.floor(told)))
      : shortest;
    return { outcome: 'found', addresses: [...addresses.values()], refused: [...refused], ttlSeconds };
  };

  const mayLeadTo = (address: Address): boolean => {
    const kind = classifyAddress(address, options.isHostAddress);
    // A name whose owner points it inside would open what only the network's position protects.
    return kind === 'public' || (kind !== 'unusable' && options.isListed(address.text));
  };

  return async (name, family) => {
    if (isLocalhost(name)) {
      const address = parseAddress(LOOPBACK[family]);
      return {
        ...NOTHING,
        outcome: 'found',
        addresses: address === null ? [] : [address],
        ttlSeconds: limits.longestTtlSeconds,
      };
    }
    const key = `${family} ${name}`;
    const known = kept.get(key);
    const left = known === undefined ? 0 : Math.ceil((known.until - clock()) / 1_000);
    if (known !== undefined && left > 0) return { ...known.lookup, ttlSeconds: left };
    const under = running.get(key);
    if (under !== undefined) return under;
    const started = ask(name, family, key).finally(() => running.delete(key));
    running.set(key, started);
    return started;
  };
}

const NOTHING: NameLookup = { outcome: 'failed', addresses: [], refused: [], ttlSeconds: 0 };

async function answerInTime(
  resolve: NameResolver,
  name: string,
  family: 4 | 6,
  timeoutMs: number,
): Promise<NameAnswer> {
  const signal = AbortSignal.timeout(timeoutMs);
  const late = new Promise<NameAnswer>((settle) => {
    signal.addEventListener('abort', () => settle({ outcome: 'failed' }), { once: true });
  });
  try {
    return await Promise.race([resolve(name, family, signal), late]);
  } catch {
    return { outcome: 'failed' };
  }
}
