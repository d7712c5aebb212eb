import { BlockList } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Address, addressOfBytes, parseAddress } from './address.js';
import { type AddressClass, classifyAddress } from './address-class.js';

function classOf(text: string, own: readonly string[] = []): AddressClass {
  const address = parseAddress(text);
  if (address === null) throw new Error(text);
  return classifyAddress(address, (each) => own.includes(each));
}

describe('address classes', () => {
  test.each<[AddressClass, readonly string[]]>([
    ['public', ['1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255']],
    [
      'public',
      ['128.0.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.0', '192.167.255.255', '223.255.255.255'],
    ],
    [
      'public',
      ['198.17.255.255', '198.20.0.0', '168.63.129.15', '2606:4700::1111', '2001:200::1', '2a00::1'],
    ],
    ['public', ['64:ff9b::1.1.1.1', '64:ff9b::101:101', '::ffff:1.1.1.1']],
    [
      'loopback',
      ['127.0.0.1', '127.255.255.255', '::1', '::ffff:127.0.0.1', '64:ff9b::127.0.0.1', '2002:7f00:1::'],
    ],
    [
      'private',
      ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.1', 'fc00::1', 'fdff::1'],
    ],
    ['private', ['fec0::1', '::ffff:10.1.1.1', '64:ff9b::192.168.1.1', '2002:c0a8:101::1', '2002:a00:1::']],
    ['shared', ['100.64.0.0', '100.127.255.255', '64:ff9b::100.64.1.1']],
    ['link-local', ['169.254.0.1', '169.254.255.255', 'fe80::1', 'febf::1', '64:ff9b::169.254.1.1']],
    ['metadata', ['169.254.169.254', '169.254.170.2', 'fd00:ec2::254', 'fd20:ce::254', '100.100.100.200']],
    [
      'metadata',
      ['192.0.0.192', '168.63.129.16', '::ffff:169.254.169.254', '64:ff9b::a9fe:a9fe', '2002:a9fe:a9fe::'],
    ],
    ['special', ['192.0.0.8', '192.0.2.1', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.9']],
    [
      'special',
      ['2001:db8::1', '2001:2::1', '2001:10::1', '3fff::1', '4000::1', '5f00::1', 'fe00::1', '1000::1'],
    ],
    ['tunnel', ['192.88.99.1', '2002:101:101::1', '64:ff9b:1::1.1.1.1']],
    [
      'unusable',
      ['0.0.0.0', '0.1.2.3', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '::', '::2'],
    ],
    ['unusable', ['ff02::1', 'ff0e::1', '::1.2.3.4', '::ffff:0:1.2.3.4', '100::1', '64:ff9b::0.0.0.0']],
    ['unusable', ['64:ff9b::255.255.255.255', '2002:e000:1::', '2002::', '::ffff:0.0.0.0']],
    // Teredo: the server in bytes 4 to 7, the client turned over in the last four.
    ['special', ['2001:0:101:101::fefe:fefe']],
    ['loopback', ['2001:0:101:101::80ff:fffe', '2001:0:7f00:1::fefe:fefe']],
    ['unusable', ['2001:0:101:101::ffff:ffff', '2001:0:101:101::', '2001:0:a00:1::ffff:ffff']],
  ])('%s: %j', (expected, texts) => {
    for (const text of texts) expect([text, classOf(text)]).toEqual([text, expected]);
  });

  test("the host's own addresses, in every form", () => {
    const own = ['8.8.4.4', '2a00::5'];
    for (const text of ['8.8.4.4', '2a00::5', '::ffff:8.8.4.4', '64:ff9b::8.8.4.4', '2002:808:404::1']) {
      expect([text, classOf(text, own)]).toEqual([text, 'host']);
    }
    expect(classOf('8.8.4.5', own)).toBe('public');
    expect(classOf('10.0.0.1', ['10.0.0.1'])).toBe('private');
  });

  test('an address that carries an IPv4 address is never held for better than it', () => {
    const inside = fc.uint8Array({ minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(inside, (bytes) => {
        const inner = addressOfBytes(bytes);
        const hex = Buffer.from(bytes).toString('hex');
        const turned = Buffer.from(bytes.map((byte) => byte ^ 0xff)).toString('hex');
        const [h, l] = [hex.slice(0, 4), hex.slice(4)];
        for (const text of [
          `::ffff:${h}:${l}`,
          `64:ff9b::${h}:${l}`,
          `2002:${h}:${l}::1`,
          `2001:0:${h}:${l}::fefe:fefe`,
          `2001:0:101:101::${turned.slice(0, 4)}:${turned.slice(4)}`,
        ]) {
          const kind = classifyAddress(inner);
          if (kind !== 'public') expect([text, classOf(text)]).toEqual([text, kind]);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('public is what an independent list of prefixes leaves over', () => {
    const inside = new BlockList();
    for (const [net, bits] of [
      ...([
        ['0.0.0.0', 8],
        ['10.0.0.0', 8],
        ['100.64.0.0', 10],
        ['127.0.0.0', 8],
        ['169.254.0.0', 16],
      ] as const),
      ...([
        ['172.16.0.0', 12],
        ['192.0.0.0', 24],
        ['192.0.2.0', 24],
        ['192.88.99.0', 24],
      ] as const),
      ...([
        ['192.168.0.0', 16],
        ['198.18.0.0', 15],
        ['198.51.100.0', 24],
        ['203.0.113.0', 24],
      ] as const),
      ...([
        ['224.0.0.0', 4],
        ['240.0.0.0', 4],
        ['168.63.129.16', 32],
      ] as const),
    ]) {
      inside.addSubnet(net, bits, 'ipv4');
    }
    const global = new BlockList();
    global.addSubnet('2000::', 3, 'ipv6');
    const inside6 = new BlockList();
    for (const [net, bits] of [
      ['2001::', 23],
      ['2001:db8::', 32],
      ['2002::', 16],
      ['3fff::', 20],
    ] as const) {
      inside6.addSubnet(net, bits, 'ipv6');
    }
    const first = fc.constantFrom(0, 10, 100, 127, 168, 169, 172, 192, 198, 203, 224, 255);
    const bytes4 = fc.tuple(fc.oneof(first, fc.nat(255)), fc.nat(255), fc.nat(255), fc.nat(255));
    const lead6 = fc.constantFrom(
      [0x20, 0x01],
      [0x20, 0x02],
      [0x3f, 0xff],
      [0x2a, 0],
      [0xfd, 0],
      [0xfe, 0x80],
    );
    const bytes6 = fc
      .tuple(lead6, fc.array(fc.oneof(fc.constant(0), fc.nat(255)), { minLength: 14, maxLength: 14 }))
      .map(([lead, rest]) => [...lead, ...rest]);
    const isPublic = ({ family, text }: Address): boolean =>
      family === 4 ? !inside.check(text, 'ipv4') : global.check(text, 'ipv6') && !inside6.check(text, 'ipv6');
    fc.assert(
      fc.property(fc.oneof(bytes4, bytes6), (bytes) => {
        const address = addressOfBytes(Uint8Array.from(bytes));
        expect([address.text, classifyAddress(address) === 'public']).toEqual([
          address.text,
          isPublic(address),
        ]);
      }),
      { numRuns: 5_000 },
    );
  });
});
