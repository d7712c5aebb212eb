import { domainToASCII, domainToUnicode } from 'node:url';

/** One entry of a network allow list, in canonical form. */
export interface NetworkRule {
  /** Null: the rule holds for any scheme. */
  readonly scheme: 'http' | 'https' | null;
  /**
   * A name in lower case and ASCII without a final dot, an IPv4 address, or an IPv6 address in its
   * shortest form without brackets. IPv4 addresses mapped into IPv6 appear as IPv4.
   */
  readonly host: string;
  readonly kind: 'name' | 'ipv4' | 'ipv6';
  /** Null: the rule holds for any port. A scheme always has its port. */
  readonly port: number | null;
}

/** Reading an entry: the rule, or what is wrong with the entry. */
export type NetworkEntryReading =
  | { readonly rule: NetworkRule; readonly problem: null }
  | { readonly rule: null; readonly problem: string };

const DEFAULT_PORTS = { http: 80, https: 443 } as const;

/**
 * Reads one entry of `capabilities.network.allow`: `host`, `host:port`, or an `http`/`https` URL with
 * nothing behind the port. IPv6 addresses stand in brackets. Whatever a client, a resolver and this
 * reader could take in different ways is refused: other schemes, paths, user names, percent escapes,
 * numeric hosts that are no plain IPv4 address. Implements docs/spec/policy.md, "Network entries".
 */
export function parseNetworkEntry(entry: string): NetworkEntryReading {
  const stranger = /[\p{Cc}\p{Cf}\s]/u.exec(entry);
  if (stranger !== null) return problem('it holds a space or an invisible character');
  if (entry === '') return problem('it is empty');

  const withScheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/(.*)$/.exec(entry);
  const schemeText = withScheme?.[1]?.toLowerCase() ?? null;
  if (schemeText !== null && schemeText !== 'http' && schemeText !== 'https') {
    return problem(`its scheme is '${schemeText}'; only http and https are possible`);
  }
  const scheme: 'http' | 'https' | null = schemeText;
  const authority = withScheme?.[2] ?? entry;
  if (authority.includes('@')) return problem('it holds a user name or password');
  if (authority.includes('?')) return problem('it carries a query');
  if (authority.includes('#')) return problem('it carries a fragment');
  if (/[/\\]/.test(authority)) return problem('it carries a path; end it after the host or the port');

  const parts = /^(\[[^\]]*\]|[^:]*)(?::([^:]*))?$/.exec(authority);
  if (parts === null) return problem('it holds several colons; write an IPv6 address in brackets');
  const [, hostText = '', portText] = parts;
  const host = readHost(hostText);
  if (typeof host === 'string') return problem(host);
  const port = portText === undefined ? null : readPort(portText);
  if (typeof port === 'string') return problem(port);
  return {
    rule: { scheme, ...host, port: port ?? (scheme === null ? null : DEFAULT_PORTS[scheme]) },
    problem: null,
  };
}

/** What is wrong with a network entry, or null. For checks that need no rule. */
export function networkEntryProblem(entry: string): string | null {
  return parseNetworkEntry(entry).problem;
}

/** A rule as it would be written; reading it again gives the same rule. */
export function formatNetworkRule(rule: NetworkRule): string {
  const host = rule.kind === 'ipv6' ? `[${rule.host}]` : rule.host;
  if (rule.scheme === null) return rule.port === null ? host : `${host}:${rule.port}`;
  const port = rule.port === DEFAULT_PORTS[rule.scheme] ? '' : `:${rule.port}`;
  return `${rule.scheme}://${host}${port}`;
}

/**
 * Whether a rule permits everything that another asks for. A rule without a scheme or a port covers
 * every scheme or port; one that is bound to a scheme never covers one that is not.
 */
export function coversNetworkRule(ceiling: NetworkRule, wanted: NetworkRule): boolean {
  return (
    ceiling.host === wanted.host &&
    (ceiling.scheme === null || ceiling.scheme === wanted.scheme) &&
    (ceiling.port === null || ceiling.port === wanted.port)
  );
}

function problem(text: string): NetworkEntryReading {
  return { rule: null, problem: text };
}

/** A label that claims to be the ASCII form of an international one and is not; Nodes differ in seeing it. */
function isBrokenAsciiForm(label: string): boolean {
  return (
    label.startsWith('xn--') &&
    (domainToUnicode(label) === label || domainToASCII(domainToUnicode(label)) !== label)
  );
}

type Host = Pick<NetworkRule, 'host' | 'kind'>;

function readHost(text: string): Host | string {
  if (text === '') return 'it names no host';
  if (text.startsWith('[')) return readIpv6(text);
  if (text.includes('%')) return 'its host holds a percent sign';
  if (text.includes('*')) return 'its host holds a wildcard; name each host';
  // The mapping to ASCII also folds case, width and compatibility forms, so that one host has one spelling.
  const ascii = domainToASCII(text);
  const name = ascii.endsWith('.') ? ascii.slice(0, -1) : ascii;
  if (name === '') return 'its host is not a valid name';
  if (name.length > 253) return 'its host is longer than 253 characters';
  const labels = name.split('.');
  if (labels.some(isBrokenAsciiForm)) return 'its host is not a valid name';
  for (const label of labels) {
    if (label === '') return 'its host holds an empty label';
    if (label.length > 63) return 'its host holds a label longer than 63 characters';
    if (!/^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/.test(label)) return `its host holds the label '${label}'`;
  }
  // Clients read such hosts as addresses, in ways that differ: 0x7f.1, 017700000001, 2130706433.
  if (/^(?:[0-9]+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '')) return readIpv4(text, name);
  return { host: name, kind: 'name' };
}

function readIpv4(text: string, name: string): Host | string {
  const octets = text.split('.');
  // The mapping above would turn other spellings into the plain one; what was written must be plain already.
  const plain =
    octets.length === 4 &&
    octets.every((octet) => /^(?:0|[1-9][0-9]{0,2})$/.test(octet) && Number(octet) <= 255);
  return plain && text === name
    ? { host: name, kind: 'ipv4' }
    : 'its host is a number and no IPv4 address in plain form (four numbers from 0 to 255)';
}

function readIpv6(text: string): Host | string {
  const refused = 'its host is no IPv6 address in brackets';
  if (!/^\[[0-9A-Fa-f:.]+\]$/.test(text)) return refused;
  let canonical: string;
  try {
    canonical = new URL(`http://${text}/`).hostname.slice(1, -1);
  } catch {
    return refused;
  }
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (mapped === null) return { host: canonical, kind: 'ipv6' };
  const [high, low] = [Number.parseInt(mapped[1] ?? '', 16), Number.parseInt(mapped[2] ?? '', 16)];
  return { host: [high >> 8, high & 255, low >> 8, low & 255].join('.'), kind: 'ipv4' };
}

function readPort(text: string): number | string {
  if (!/^[1-9][0-9]{0,4}$/.test(text) || Number(text) > 65_535) {
    return `its port is '${text}'; a port is a number from 1 to 65535`;
  }
  return Number(text);
}
