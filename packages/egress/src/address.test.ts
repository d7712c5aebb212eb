import { isIPv4, isIPv6, SocketAddress } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressOfBytes, bracketed, parseAddress } from './address.js';

const ipv4 = fc.uint8Array({ minLength: 4, maxLength: 4 });
// Runs of zeros are where the shortest form is decided.
const ipv6 = fc
  .array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff })), { minLength: 8, maxLength: 8 })
  .map((groups) => Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff])));

describe('addresses', () => {
  test.each([
    ['1.2.3.4', '1.2.3.4'],
    ['0.0.0.0', '0.0.0.0'],
    ['::', '::'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['::ffff:a00:1', '10.0.0.1'],
    ['0:0:0:0:0:FFFF:0a00:0001', '10.0.0.1'],
    ['64:ff9b::10.0.0.1', '64:ff9b::a00:1'],
    ['::1.2.3.4', '::102:304'],
  ])('%s is %s', (text, canonical) => {
    expect(parseAddress(text)?.text).toBe(canonical);
  });

  test.each([
    ...['', '.', '1', '1.2.3', '1.2.3.4.', '.1.2.3.4', '1.2.3.4.5', '1..3.4', '1.2.3.256', '1.2.3.-4'],
    ...[
      '010.0.0.1',
      '0x7f.0.0.1',
      '0x7f000001',
      '017700000001',
      '2130706433',
      '127.1',
      '127.0.1',
      '1.2.3.4/8',
    ],
    ...['00.0.0.0', ' 1.2.3.4', '1.2.3.4 ', '1.2.3.4\0', '1.2.3.4\n', '１.2.3.4', '1。2。3。4', '1.2.3.4:80'],
    ...[
      'fe80::1%eth0',
      'fe80::1%25eth0',
      '[::1]',
      '::1]',
      ':::',
      '::1::',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
    ],
    ...['::ffff:010.0.0.1', '::ffff:1.2.3', '::12345', 'g::', '::1/128', '::ffff:0x7f.1', 'localhost', 'a.b'],
  ])('%j is none', (text) => {
    expect(parseAddress(text)).toBeNull();
  });

  test('the canonical form is a fixed point, and means the same to the operating system', () => {
    fc.assert(
      fc.property(fc.oneof(ipv4, ipv6), (bytes) => {
        const address = addressOfBytes(bytes);
        expect(parseAddress(address.text)).toEqual(address);
        expect(addressOfBytes(address.bytes)).toEqual(address);
        const family = address.family === 4 ? 'ipv4' : 'ipv6';
        const system = new SocketAddress({ address: address.text, family }).address;
        expect(parseAddress(system)).toEqual(address);
      }),
      { numRuns: 2_000 },
    );
  });

  test('what is read, the operating system reads too', () => {
    const spelling = fc.string({
      unit: fc.constantFrom(...'0123456789abcfx.:%[]/ -'),
      maxLength: 24,
    });
    fc.assert(
      fc.property(spelling, (text) => {
        const address = parseAddress(text);
        if (address !== null) expect(isIPv4(text) || isIPv6(text)).toBe(true);
      }),
      { numRuns: 20_000 },
    );
  });

  test('IPv6 stands in brackets before a port', () => {
    expect(['::1', '1.2.3.4'].map((text) => bracketed(addressOfText(text)))).toEqual(['[::1]', '1.2.3.4']);
  });
});

function addressOfText(text: string) {
  const address = parseAddress(text);
  if (address === null) throw new Error(text);
  return address;
}
