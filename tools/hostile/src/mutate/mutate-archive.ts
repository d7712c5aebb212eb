import type { Random } from '../random.js';
import { hostileTexts } from './hostile-values.js';
import { mutateBytes } from './mutate-bytes.js';
import { isField, writeRecords, type ZipPart, type ZipRecord } from './zip-fields.js';

const maxOf = (bytes: 2 | 4 | 8): bigint => (1n << BigInt(bytes * 8)) - 1n;

function otherValue(value: bigint, bytes: 2 | 4 | 8, random: Random, others: readonly bigint[]): bigint {
  const most = maxOf(bytes);
  switch (random.int(9)) {
    case 0:
      return 0n;
    case 1:
      return most;
    case 2:
      return most - BigInt(random.int(3));
    case 3:
      return value + 1n;
    case 4:
      return value - 1n;
    case 5:
      return value ^ (1n << BigInt(random.int(bytes * 8)));
    case 6:
      return random.pick(others);
    case 7:
      return BigInt(random.int(70_000));
    default:
      return random.bytes(8).readBigUInt64LE();
  }
}

/** Extra fields that readers have gone wrong on: a second name, sizes cut short, lengths past the end. */
const extras: readonly Buffer[] = [
  Buffer.from('7570050001000000ff', 'hex'),
  Buffer.from('01000000', 'hex'),
  Buffer.from('010004000000', 'hex'),
  Buffer.from('0100ffff', 'hex'),
  Buffer.from('ff', 'hex'),
  Buffer.from('0199070002004145030800', 'hex'),
  Buffer.alloc(400),
];

/** Where a name ends a path differently for another reader. */
const names: readonly string[] = [
  ...hostileTexts.slice(0, -1),
  'murmur.yaml',
  'MURMUR.YAML',
  'murmur.yaml/',
  'capsule.wasm',
  'd/',
  'd/../x',
  './murmur.yaml',
  'murmur.yaml\0.txt',
  'murmur.yaml ',
  'murmur.yaml.',
];

type Change = (records: ZipRecord[], random: Random) => void;

function partsOf(records: readonly ZipRecord[]): ZipPart[] {
  return records.flatMap(({ parts }) => parts);
}

const changeField: Change = (records, random) => {
  const fields = partsOf(records).filter(isField);
  const field = random.pick(fields);
  const others = fields.map(({ value }) => value);
  field.value = otherValue(field.value, field.bytes, random, others);
};

/** Both headers of an entry tell the same lie, so that only what they lie about can give it away. */
const changeBoth: Change = (records, random) => {
  const central = records.filter(({ name }) => name === 'central');
  const local = records.filter(({ name }) => name === 'local');
  const at = random.int(Math.max(1, central.length));
  const what = random.pick([
    'flags',
    'method',
    'crc',
    'compressed size',
    'size',
    'name length',
    'version needed',
  ]);
  const value = otherValue(0n, 4, random, [1n, 8n, 12n, 99n, 100n]);
  for (const record of [central[at], local[at]])
    for (const part of record?.parts ?? []) if (isField(part) && part.name === what) part.value = value;
};

const changeName: Change = (records, random) => {
  const name = Buffer.from(random.pick(names));
  const central = records.filter((record) => record.name === 'central');
  const local = records.filter((record) => record.name === 'local');
  const at = random.int(Math.max(1, central.length));
  for (const record of random.oneIn(4) ? [central[at]] : [central[at], local[at]]) {
    for (const part of record?.parts ?? []) {
      if (isField(part) && part.name === 'name length') part.value = BigInt(name.length);
      else if (!isField(part) && part.name === 'name') part.bytes = name;
    }
  }
};

const changeBytes: Change = (records, random) => {
  const part = random.pick(partsOf(records).filter((one) => !isField(one) && one.bytes.length > 0));
  if (!isField(part)) part.bytes = mutateBytes(part.bytes, random);
};

const addExtra: Change = (records, random) => {
  const record = random.pick(records.filter(({ name }) => name === 'central' || name === 'local'));
  const bytes = random.pick(extras);
  const at = record.parts.findIndex((part) => part.name === 'name');
  record.parts.splice(at + 1, 0, { name: 'extra', bytes });
  for (const part of record.parts)
    if (isField(part) && part.name === 'extra length') part.value += BigInt(bytes.length);
};

const changeOrder: Change = (records, random) => {
  const from = random.int(records.length);
  const record = records[from];
  if (record === undefined) return;
  const copy = structuredClone(record);
  if (random.oneIn(2)) records.splice(from, 1);
  if (random.oneIn(2)) records.splice(random.int(records.length + 1), 0, copy);
};

const changes: readonly Change[] = [
  changeField,
  changeField,
  changeField,
  changeBoth,
  changeName,
  changeBytes,
  addExtra,
  changeOrder,
];

/** The bytes of an archive after a few lies; `records` are changed. */
export function mutateArchive(records: ZipRecord[], random: Random): Buffer {
  for (let left = 1 + random.int(3); left > 0; left -= 1) random.pick(changes)(records, random);
  const bytes = writeRecords(records);
  return random.oneIn(6) ? mutateBytes(bytes, random) : bytes;
}
