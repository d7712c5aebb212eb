import type { Random } from '../random.js';

const edges = [0x00, 0x01, 0x0a, 0x0d, 0x20, 0x22, 0x7f, 0x80, 0xc0, 0xed, 0xef, 0xf8, 0xff];

/** A copy of some bytes with one thing done to them: flipped, cut, repeated, moved, overwritten, filled in. */
export function mutateBytes(bytes: Uint8Array, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  const from = random.int(copy.length + 1);
  const to = Math.min(copy.length, from + 1 + random.skewed(copy.length + 64));
  switch (random.int(8)) {
    case 0:
      if (from < copy.length) copy[from] = (copy[from] ?? 0) ^ (1 << random.int(8));
      return copy;
    case 1:
      if (from < copy.length) copy[from] = random.pick(edges);
      return copy;
    case 2:
      return copy.subarray(0, from);
    case 3:
      return Buffer.concat([copy.subarray(0, from), copy.subarray(to)]);
    case 4:
      return Buffer.concat([copy.subarray(0, to), copy.subarray(from)]);
    case 5:
      return Buffer.concat([
        copy.subarray(0, from),
        random.bytes(1 + random.skewed(200)),
        copy.subarray(from),
      ]);
    case 6: {
      const other = random.int(copy.length + 1);
      copy.copy(copy, other, from, to);
      return copy;
    }
    default:
      return copy.fill(random.pick(edges), from, to);
  }
}
