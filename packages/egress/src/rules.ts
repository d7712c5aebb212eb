import { MurmurError } from '@murmur/errors';
import { parseAddress } from './address.js';
import { canonicalName } from './host-name.js';
import type { EgressRule } from './types.js';

const DEFAULT_PORTS = { http: 80, https: 443 } as const;
/** Where a rule without a port can be reached by programs, which do not say which ports they mean to use. */
const USUAL_PORTS = [80, 443] as const;
const MOST_PORTS = 16;

/** A rule in canonical form: a connection carries no scheme, so the scheme is folded into its port. */
export interface CanonicalRule extends EgressRule {
  readonly kind: 'name' | 'address';
}

/**
 * Brings rules into canonical form, without duplicates.
 *
 * Throws `E-CAP-001` for a rule whose host has no canonical form or whose port is no port.
 */
export function canonicalRules(rules: readonly EgressRule[]): readonly CanonicalRule[] {
  const seen = new Map<string, CanonicalRule>();
  for (const rule of rules) {
    const canonical = canonicalRule(rule);
    seen.set(`${canonical.scheme ?? ''} ${formatRule(canonical)}`, canonical);
  }
  return [...seen.values()];
}

/** A rule as a line of the allow list. */
export function formatRule({ scheme, host, port }: EgressRule): string {
  const bare = host.includes(':') ? `[${host}]` : host;
  if (scheme === null) return port === null ? bare : `${bare}:${port}`;
  return port === null || port === DEFAULT_PORTS[scheme]
    ? `${scheme}://${bare}`
    : `${scheme}://${bare}:${port}`;
}

/**
 * The ports that somebody has to listen on so that what the rules allow can be reached: a rule's own port, else
 * 80 and 443. Ascending. Implements docs/spec/egress “ports”.
 *
 * Throws `E-CAP-001` when they are more than 16, and for a rule without canonical form.
 */
export function listeningPorts(rules: readonly EgressRule[]): readonly number[] {
  const ports = new Set<number>();
  for (const rule of canonicalRules(rules)) {
    for (const port of rule.port === null ? USUAL_PORTS : [rule.port]) ports.add(port);
    if (ports.size > MOST_PORTS) {
      const list = [...ports].sort((a, b) => a - b).join(', ');
      throw unusable(rule, `with it the list needs more than ${MOST_PORTS} different ports (${list})`);
    }
  }
  return [...ports].sort((a, b) => a - b);
}

/** The ports where plain HTTP is spoken, so that a refusal can be put into words. */
export function plainHttpPorts(rules: readonly CanonicalRule[]): ReadonlySet<number> {
  const ports = new Set([80]);
  for (const { scheme, port } of rules) if (scheme === 'http' && port !== null) ports.add(port);
  for (const { scheme, port } of rules) if (scheme === 'https' && port !== null) ports.delete(port);
  return ports;
}

/** The first rule for a canonical host that fits the port; with the port null, the first for the host. */
export type RuleMatcher = (host: string, port: number | null) => EgressRule | null;

/** Exact comparison of canonical hosts: no suffixes, no wildcards. */
export function matcherOf(rules: readonly CanonicalRule[]): RuleMatcher {
  const byHost = new Map<string, CanonicalRule[]>();
  for (const rule of rules) byHost.set(rule.host, [...(byHost.get(rule.host) ?? []), rule]);
  return (host, port) =>
    byHost.get(host)?.find((rule) => port === null || rule.port === null || rule.port === port) ?? null;
}

function canonicalRule(rule: EgressRule): CanonicalRule {
  const { scheme } = rule;
  const port = rule.port ?? (scheme === null ? null : DEFAULT_PORTS[scheme]);
  if (port !== null && !isPort(port)) throw unusable(rule, `its port is ${port}`);
  const address = parseAddress(rule.host);
  if (address !== null) return { scheme, host: address.text, port, kind: 'address' };
  const name = canonicalName(rule.host);
  if (name === null) throw unusable(rule, 'its host is neither a name nor an address in plain form');
  return { scheme, host: name, port, kind: 'name' };
}

/** Whether a number is one that a connection can have. */
export function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= 65_535;
}

function unusable(rule: EgressRule, message: string): MurmurError {
  return new MurmurError({ variant: 'InvalidNetworkAllowEntry', entry: formatRule(rule), message });
}
