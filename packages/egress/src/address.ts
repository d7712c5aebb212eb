/** An IP address in its one canonical form. */
export interface Address {
  readonly family: 4 | 6;
  /** Dotted for IPv4; for IPv6 lower case and shortest, without brackets. */
  readonly text: string;
  /** 4 or 16 bytes, in network order. */
  readonly bytes: Uint8Array;
}

/**
 * Reads an address, or gives null. Only what has one meaning is read: IPv4 as four plain decimal numbers,
 * IPv6 without a zone. An IPv4 address mapped into IPv6 *is* that IPv4 address: the kernel would connect to
 * the same peer, so both must meet the same rules.
 */
export function parseAddress(text: string): Address | null {
  if (/^[0-9.]+$/.test(text)) return parseIpv4(text);
  // The URL parser below would take what the kernel never writes (a zone, brackets within); keep to the characters.
  if (!/^[0-9A-Fa-f:.]{2,45}$/.test(text) || !text.includes(':')) return null;
  let canonical: string;
  try {
    canonical = new URL(`http://[${text}]/`).hostname.slice(1, -1);
  } catch {
    return null;
  }
  const bytes = bytesOfGroups(canonical);
  return isMapped(bytes) ? addressOfBytes(bytes.subarray(12)) : { family: 6, text: canonical, bytes };
}

/** The address of 4 or 16 bytes in network order. */
export function addressOfBytes(bytes: Uint8Array): Address {
  if (bytes.length === 4) return { family: 4, text: bytes.join('.'), bytes };
  if (bytes.length !== 16) throw new Error('an address has 4 or 16 bytes');
  const groups = Array.from({ length: 8 }, (_, index) => group(bytes, index).toString(16));
  const canonical = parseAddress(groups.join(':'));
  if (canonical === null) throw new Error('unreachable: eight groups are an address');
  return canonical;
}

/** As it stands before a port: IPv6 in brackets. */
export function bracketed(address: Address): string {
  return address.family === 6 ? `[${address.text}]` : address.text;
}

function parseIpv4(text: string): Address | null {
  const octets = text.split('.');
  // 010.0.0.1, 127.1 and 2130706433 are addresses to some readers and not to others: to this one never.
  const plain =
    octets.length === 4 &&
    octets.every((octet) => /^(?:0|[1-9][0-9]{0,2})$/.test(octet) && Number(octet) <= 255);
  return plain ? { family: 4, text, bytes: Uint8Array.from(octets, Number) } : null;
}

function bytesOfGroups(canonical: string): Uint8Array {
  const [head = '', tail] = canonical.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = Array.from({ length: 8 - front.length - back.length }, () => '0');
  return Uint8Array.from(
    [...front, ...gap, ...back].flatMap((each) => {
      const value = Number.parseInt(each, 16);
      return [value >> 8, value & 0xff];
    }),
  );
}

function group(bytes: Uint8Array, index: number): number {
  return ((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0);
}

function isMapped(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;
}
