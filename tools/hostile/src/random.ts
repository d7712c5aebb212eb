/** A stream of choices that depends on nothing but its seed, so that a case can be made again. */
export interface Random {
  /** A whole number from 0 up to and without `below`. */
  int(below: number): number;
  /** True once in `n` on average. */
  oneIn(n: number): boolean;
  pick<T>(items: readonly T[]): T;
  bytes(count: number): Buffer;
  /** A count that is small most of the time, and once in 64 any up to `most`. */
  skewed(most: number): number;
}

/** Spreads a text over 32 bits (FNV-1a). */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return value >>> 0;
}

/** Chris Doty-Humphrey's sfc32: small, fast, and without short cycles; nothing here needs to be unguessable. */
export function createRandom(seed: string): Random {
  let a = hash(`${seed}/a`);
  let b = hash(`${seed}/b`);
  let c = hash(`${seed}/c`);
  let counter = 1;
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 12; round += 1) next();

  const int = (below: number): number => Math.floor((next() / 0x1_0000_0000) * below);
  return {
    int,
    oneIn: (n) => int(n) === 0,
    pick(items) {
      if (items.length === 0) throw new RangeError('nothing to pick from');
      return items[int(items.length)] as (typeof items)[number];
    },
    bytes(count) {
      const bytes = Buffer.allocUnsafe(count);
      for (let at = 0; at < count; at += 1) bytes[at] = next();
      return bytes;
    },
    skewed: (most) => int(int(64) === 0 ? most + 1 : Math.min(most + 1, 16)),
  };
}
