/** A small seeded generator: the same seed gives the same mutations on every machine. */
export function seededRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Random = (below: number) => number;

const INTERESTING = [0, 1, 2, 3, 5, 6, 15, 16, 20, 21, 0x2f, 0x3d, 0x7f, 0x80, 0xff];

function changeByte(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  if (copy.length > 0)
    copy[random(copy.length)] =
      random(2) === 0 ? random(256) : (INTERESTING[random(INTERESTING.length)] ?? 0);
  return copy;
}

const cut = (bytes: Buffer, random: Random): Buffer =>
  Buffer.from(bytes.subarray(0, random(bytes.length + 1)));

function insert(bytes: Buffer, random: Random): Buffer {
  const at = random(bytes.length + 1);
  const extra = Buffer.from(
    Array.from({ length: 1 + random(12) }, () => INTERESTING[random(INTERESTING.length)] ?? 0),
  );
  return Buffer.concat([bytes.subarray(0, at), extra, bytes.subarray(at)]);
}

/** Offsets of the fields of a well-formed specification. */
function fieldOffsets(bytes: Buffer): number[] {
  const offsets: number[] = [];
  for (let offset = 16; offset + 8 <= bytes.length; offset += 8 + bytes.readUInt32LE(offset + 4))
    offsets.push(offset);
  return offsets;
}

/** Repeats, drops or swaps whole fields. */
function shuffleFields(bytes: Buffer, random: Random): Buffer {
  const offsets = fieldOffsets(bytes);
  const fields = offsets.map((offset, index) => bytes.subarray(offset, offsets[index + 1] ?? bytes.length));
  const picked = fields.flatMap((field) => [[field], [field], [field], [], [field, field]][random(5)] ?? []);
  if (random(3) === 0) picked.reverse();
  return Buffer.concat([bytes.subarray(0, 16), ...picked]);
}

function changeTagOrLength(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  const offsets = fieldOffsets(copy);
  const offset = offsets[random(offsets.length)];
  if (offset === undefined) return copy;
  if (random(2) === 0) copy.writeUInt16LE(random(44), offset);
  else
    copy.writeUInt32LE(
      [random(64), 0xffffffff, copy.length, copy.readUInt32LE(offset + 4) + 1][random(4)] ?? 0,
      offset + 4,
    );
  return copy;
}

/** Makes the stated length right again, so that the mutation gets past the header. */
function repairLength(bytes: Buffer): Buffer {
  if (bytes.length >= 16) bytes.writeUInt32LE(bytes.length, 8);
  return bytes;
}

const MUTATIONS = [changeByte, changeByte, cut, insert, shuffleFields, changeTagOrLength];

/** One to three changes to a well-formed specification. */
export function mutate(bytes: Buffer, random: Random): Buffer {
  let mutated = bytes;
  const first = MUTATIONS[random(MUTATIONS.length)] ?? changeByte;
  mutated = first(mutated, random);
  for (let more = random(3); more > 0; more -= 1) mutated = changeByte(mutated, random);
  return random(4) === 0 ? mutated : repairLength(Buffer.from(mutated));
}

/** Cases as the fixture programs read them. */
export function toCaseStream(cases: readonly Buffer[]): Buffer {
  return Buffer.concat(
    cases.flatMap((bytes) => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return [length, bytes];
    }),
  );
}
