import { type Address, addressOfBytes, parseAddress } from './address.js';

/**
 * What kind of place an address is. A name may lead to `public` addresses only; all others have to be listed
 * as addresses, and `unusable` ones never carry a connection.
 */
export type AddressClass =
  | 'public'
  | 'loopback'
  | 'private'
  | 'shared'
  | 'link-local'
  | 'metadata'
  | 'special'
  | 'tunnel'
  | 'host'
  | 'unusable';

/** The classes as people are told of them. */
export const CLASS_PHRASES: Readonly<Record<AddressClass, string>> = {
  public: 'a public address',
  loopback: 'a loopback address',
  private: 'an address of a private network',
  shared: "an address of a provider's shared network",
  'link-local': 'a link-local address',
  metadata: 'an address where a cloud host serves its metadata and credentials',
  special: 'an address set aside for documentation, tests or protocols',
  tunnel: 'an address that a tunnel turns into another one',
  host: 'an address of this host itself',
  unusable: 'no address of a single peer',
};

/** The first prefix that fits decides, so exceptions stand before what they are taken from. */
const TABLE: readonly (readonly [string, AddressClass])[] = [
  ['0.0.0.0/8', 'unusable'], // "this host": Linux connects 0.0.0.0 to loopback
  ['10.0.0.0/8', 'private'],
  ['100.100.100.200/32', 'metadata'],
  ['100.64.0.0/10', 'shared'],
  ['127.0.0.0/8', 'loopback'],
  ['168.63.129.16/32', 'metadata'], // looks public, answers only inside one provider's machines
  ['169.254.169.254/32', 'metadata'],
  ['169.254.170.0/24', 'metadata'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.192/32', 'metadata'],
  ['192.0.0.0/24', 'special'],
  ['192.0.2.0/24', 'special'],
  ['192.88.99.0/24', 'tunnel'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'special'],
  ['198.51.100.0/24', 'special'],
  ['203.0.113.0/24', 'special'],
  ['224.0.0.0/3', 'unusable'], // multicast, reserved, broadcast
  ['0.0.0.0/0', 'public'],

  ['::1/128', 'loopback'],
  ['64:ff9b::/96', 'public'], // what is inside decides: see below
  ['64:ff9b:1::/48', 'tunnel'], // translation with the operator's own layout
  ['::/8', 'unusable'],
  ['100::/64', 'unusable'],
  ['2001::/23', 'special'], // holds Teredo, benchmarks, ORCHID
  ['2001:db8::/32', 'special'],
  ['2002::/16', 'tunnel'],
  ['3fff::/20', 'special'],
  ['2000::/3', 'public'],
  ['fd00:ec2::254/128', 'metadata'],
  ['fd20:ce::254/128', 'metadata'],
  ['fc00::/7', 'private'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'private'],
  ['ff00::/8', 'unusable'],
  ['::/0', 'special'], // not handed out to anybody
];

const PREFIXES = TABLE.map(([text, kind]) => {
  const [base = '', bits = ''] = text.split('/');
  const address = parseAddress(base);
  if (address === null) throw new Error(`not a prefix: ${text}`);
  return { address, bits: Number(bits), kind };
});

/**
 * The class of an address. An IPv4 address inside a translated or tunnelled one counts as well, since that is
 * who the packets reach: the stricter of the two classes holds. `isHostAddress` says whether a canonical
 * address text is one of the host's own. Implements docs/spec/egress “address classes”.
 */
export function classifyAddress(
  address: Address,
  isHostAddress: (text: string) => boolean = () => false,
): AddressClass {
  const inside = embeddedIpv4(address).map((each) => classifyAddress(each, isHostAddress));
  if (inside.includes('unusable')) return 'unusable';
  const strict = inside.find((kind) => kind !== 'public');
  if (strict !== undefined) return strict;
  const own = classOfPrefix(address);
  return own === 'public' && isHostAddress(address.text) ? 'host' : own;
}

function classOfPrefix(address: Address): AddressClass {
  const found = PREFIXES.find((prefix) => isBelow(address, prefix));
  return found === undefined ? 'unusable' : found.kind;
}

function isBelow({ family, bytes }: Address, prefix: { address: Address; bits: number }): boolean {
  if (family !== prefix.address.family) return false;
  for (let index = 0; index * 8 < prefix.bits; index += 1) {
    const mask = (0xff << Math.max(0, 8 - (prefix.bits - index * 8))) & 0xff;
    if (((bytes[index] ?? 0) & mask) !== ((prefix.address.bytes[index] ?? 0) & mask)) return false;
  }
  return true;
}

/** The IPv4 addresses that an IPv6 address carries by the layout of its prefix. */
function embeddedIpv4({ family, bytes }: Address): Address[] {
  if (family === 4) return [];
  const at = (offset: number): Address => addressOfBytes(bytes.slice(offset, offset + 4));
  const starts = (...prefix: number[]): boolean => prefix.every((byte, index) => bytes[index] === byte);
  if (starts(0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0)) return [at(12)];
  if (starts(0x20, 0x02)) return [at(2)];
  // Teredo: the server in clear, the client with every bit turned.
  if (starts(0x20, 0x01, 0, 0)) return [at(4), addressOfBytes(bytes.slice(12).map((byte) => byte ^ 0xff))];
  return [];
}
