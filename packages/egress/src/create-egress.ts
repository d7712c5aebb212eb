import { parseAddress } from './address.js';
import { createDnsAnswers } from './answer-dns.js';
import { createBindings } from './bindings.js';
import { createDecisions } from './decide-connection.js';
import { DEFAULT_EGRESS_LIMITS, DEFAULT_KEY } from './defaults.js';
import { lookUpListed } from './look-up-listed.js';
import { createLookup } from './resolve-name.js';
import { canonicalRules, matcherOf, plainHttpPorts } from './rules.js';
import type { Egress, EgressOptions } from './types.js';

/**
 * The decisions of one session: which connections are made, and what names lead to. Opens no socket itself:
 * whoever accepts, dials and carries bytes asks here. Implements docs/spec/egress.
 *
 * Throws `E-CAP-001` for a rule that has no canonical form.
 */
export function createEgress(options: EgressOptions): Egress {
  const { resolve, onEvent, clock, key = DEFAULT_KEY } = options;
  const limits = { ...DEFAULT_EGRESS_LIMITS, ...options.limits };
  const rules = canonicalRules(options.rules);
  const match = options.match ?? matcherOf(rules);
  const hostAddresses = new Set(options.hostAddresses.map(canonicalHostAddress));
  const isHostAddress = (text: string): boolean => hostAddresses.has(text);
  const bindings = createBindings({ bindingMs: limits.bindingMs, bindings: limits.bindings, clock });
  const lookUp = createLookup({
    resolve,
    limits,
    clock,
    isHostAddress,
    isListed: (address) => match(address, null) !== null,
  });
  const names = [...new Set(rules.filter(({ kind }) => kind === 'name').map(({ host }) => host))];
  const common = { match, bindings, limits, onEvent, key };
  return {
    lookUpListed: () => lookUpListed({ names, lookUp, bindings }),
    answerDns: createDnsAnswers({ ...common, lookUp, clock }),
    ...createDecisions({ ...common, isHostAddress, plainHttpPorts: plainHttpPorts(rules) }),
  };
}

/** Interfaces report link-local addresses with a zone, which does not matter here: the class refuses them all. */
function canonicalHostAddress(text: string): string {
  const address = parseAddress(text.replace(/%.*$/, ''));
  if (address === null) throw new Error(`not an address of this host: ${JSON.stringify(text)}`);
  return address.text;
}
