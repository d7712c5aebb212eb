import { canonicalAsciiName } from './host-name.js';

/** How far into a connection's first bytes a name is looked for. */
const MOST_BYTES = 16_384;

/**
 * The server name that a TLS client asks for in its first bytes, canonical, or null. For the log only: a program
 * writes there what it likes. Never throws; incomplete bytes give null.
 */
export function tlsServerName(firstBytes: Uint8Array): string | null {
  const hello = handshakeOf(firstBytes.subarray(0, MOST_BYTES));
  const cursor = cursorOver(hello);
  if (cursor.number(1) !== 1) return null; // client hello
  cursor.skip(3 + 2 + 32);
  cursor.skip(cursor.number(1)); // session
  cursor.skip(cursor.number(2)); // cipher suites
  cursor.skip(cursor.number(1)); // compression
  cursor.skip(2);
  while (cursor.left() >= 4) {
    const type = cursor.number(2);
    const body = cursor.take(cursor.number(2));
    if (type !== 0) continue;
    const names = cursorOver(body);
    names.skip(2);
    if (names.number(1) !== 0) return null;
    const length = names.number(2);
    const name = names.take(length);
    return name.length === length ? canonicalAsciiName(latin1(name)) : null;
  }
  return null;
}

/**
 * The host that a plain HTTP request names in its first bytes, canonical and without its port, or null. For the
 * log only. Never throws; null also when the header comes twice.
 */
export function httpHost(firstBytes: Uint8Array): string | null {
  const head = latin1(firstBytes.subarray(0, MOST_BYTES)).split(/\r?\n\r?\n/, 1)[0] ?? '';
  const [requestLine = '', ...lines] = head.split(/\r?\n/);
  if (!/^[A-Z]{1,20} \S+ HTTP\/1\.[01]$/.test(requestLine)) return null;
  const hosts = lines.flatMap((line) => /^host:[ \t]*([^\s]*)[ \t]*$/i.exec(line)?.slice(1) ?? []);
  return hosts.length === 1 ? canonicalAsciiName((hosts[0] ?? '').replace(/:[0-9]*$/, '')) : null;
}

/** The handshake bytes of the leading TLS records: a hello may be cut into several. */
function handshakeOf(bytes: Uint8Array): Uint8Array {
  const parts: number[] = [];
  for (let at = 0; bytes[at] === 22 && at + 5 <= bytes.length; ) {
    const length = ((bytes[at + 3] ?? 0) << 8) | (bytes[at + 4] ?? 0);
    parts.push(...bytes.subarray(at + 5, at + 5 + length));
    at += 5 + length;
  }
  return Uint8Array.from(parts);
}

/** Reads forward and stops at the end: past it, numbers are 0 and slices short. */
function cursorOver(bytes: Uint8Array) {
  let at = 0;
  const take = (length: number): Uint8Array => {
    const taken = bytes.subarray(at, at + length);
    at = Math.min(bytes.length, at + length);
    return taken;
  };
  return {
    take,
    skip: (length: number): void => void take(length),
    number: (length: number): number => take(length).reduce((value, byte) => value * 256 + byte, 0),
    left: (): number => bytes.length - at,
  };
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
