/** The launch specification's rules a second time, written from the document, to judge the C reader by. */

export const OK = 0;

const PATH_BYTES = 4096;
const DESCRIPTORS = 19;
const ARGUMENTS = 4096;
const VARIABLES = 1024;

class Refusal extends Error {
  constructor(readonly code: number) {
    super(`refused: ${code}`);
  }
}

function check(holds: boolean, code: number): void {
  if (!holds) throw new Refusal(code);
}

function pathField(bytes: Buffer): string {
  check(bytes.length >= 2 && bytes.length <= PATH_BYTES, 11);
  check(bytes[0] === 0x2f && bytes.indexOf(0) === bytes.length - 1, 11);
  return bytes.toString('hex', 0, bytes.length - 1);
}

/** Entries as hex, so that bytes which are not UTF-8 survive. */
function listField(bytes: Buffer, most: number): string[] {
  const entries: string[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const end = bytes.indexOf(0, offset);
    check(end >= 0, 12);
    check(entries.length < most, 13);
    entries.push(bytes.toString('hex', offset, end));
    offset = end + 1;
  }
  return entries;
}

function variablesField(bytes: Buffer): string[] {
  const entries = listField(bytes, VARIABLES);
  const names = new Set<string>();
  for (const entry of entries) {
    const name = Buffer.from(entry, 'hex').toString('latin1').split('=', 1)[0] ?? '';
    check(name !== '' && entry.length > name.length * 2, 14);
    check(!names.has(name), 15);
    names.add(name);
  }
  return entries;
}

function descriptorsField(bytes: Buffer): string {
  check(bytes.length >= 3 && bytes.length <= DESCRIPTORS, 16);
  bytes.forEach((kind, index) => {
    const allowed = index === 0 ? [0, 1] : index < 3 ? [0, 2] : [1, 2];
    check(allowed.includes(kind), 16);
  });
  return [...bytes].join('');
}

function limitField(bytes: Buffer): bigint {
  check(bytes.length === 8, 17);
  const value = bytes.readBigUInt64LE();
  check(value !== 0xffff_ffff_ffff_ffffn, 17);
  return value;
}

/** Ids that a program may have, on either side. */
function identityField(bytes: Buffer): string {
  check(bytes.length === 16, 19);
  const ids = [0, 4, 8, 12].map((offset) => bytes.readUInt32LE(offset));
  check(!ids.includes(0) && !ids.includes(0xffff_ffff), 19);
  return ids.join(':');
}

function sizesField(bytes: Buffer): string {
  check(bytes.length === 16, 21);
  const sizes = [bytes.readBigUInt64LE(0), bytes.readBigUInt64LE(8)];
  check(
    sizes.every((size) => size > 0n && size < 1n << 63n),
    21,
  );
  return sizes.join(':');
}

function homeField(bytes: Buffer): string {
  const home = pathField(bytes);
  check(!/[:\n]/.test(Buffer.from(home, 'hex').toString('latin1')), 11);
  return home;
}

/** Mounts and rules: letter, need, path. */
function entriesField(bytes: Buffer, letters: string, most: number): string {
  const shown: string[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const end = bytes.indexOf(0, offset);
    check(end >= 0, 12);
    check(shown.length < most, 13);
    const entry = bytes.subarray(offset, end);
    check(entry.length >= 4 && entry.length <= PATH_BYTES + 1, 22);
    const [letter = '', need = '', slash, next] = entry.toString('latin1');
    check(letters.includes(letter) && '!?'.includes(need) && slash === '/' && next !== '/', 22);
    shown.push(`${letter}${need}${entry.toString('hex', 2)}`);
    offset = end + 1;
  }
  return shown.map((entry) => `${entry}.`).join(',');
}

function jailField(tag: number, bytes: Buffer): string {
  switch (tag) {
    case 32:
      check(bytes.length === 1 && (bytes[0] === 1 || bytes[0] === 2), 18);
      return `class=${bytes[0]}`;
    case 33:
      return `ids=${identityField(bytes)}`;
    case 34:
      check(bytes.length === 1 && (bytes[0] === 0 || bytes[0] === 1), 20);
      return `network=${bytes[0]}`;
    case 35:
      return `home=${homeField(bytes)}`;
    case 36:
      return `sizes=${sizesField(bytes)}`;
    case 37:
      return `mounts=${entriesField(bytes, 'rwxe', 256)}`;
    default:
      return `rules=${entriesField(bytes, 'rwx', 512)}`;
  }
}

const JAIL_TAGS = [32, 33, 34, 35, 36, 37, 38];

const listed = (entries: readonly string[]): string => entries.map((entry) => `${entry}.`).join(',');

/** The code for a header alone, which is checked before the rest has arrived. */
export function headerCode(bytes: Buffer): number {
  if (bytes.length < 16) return 1;
  if (bytes.toString('latin1', 0, 4) !== 'MURW') return 2;
  if (bytes.readUInt16LE(4) !== 2) return 3;
  if (bytes.readUInt16LE(6) !== 1) return 4;
  const total = bytes.readUInt32LE(8);
  if (total < 16 || total > 4 * 1024 * 1024) return 5;
  return bytes.readUInt32LE(12) === 0 ? OK : 6;
}

function readFields(bytes: Buffer): string {
  check(headerCode(bytes) === OK, headerCode(bytes));
  check(bytes.readUInt32LE(8) === bytes.length, 5);
  const shown = new Map<number, string>();
  let last = 0;
  for (let offset = 16; offset < bytes.length; ) {
    check(bytes.length - offset >= 8, 7);
    const tag = bytes.readUInt16LE(offset);
    const reserved = bytes.readUInt16LE(offset + 2);
    const length = bytes.readUInt32LE(offset + 4);
    offset += 8;
    check(reserved === 0, 6);
    check(length <= bytes.length - offset, 7);
    check(tag > last, 9);
    const payload = bytes.subarray(offset, offset + length);
    if (tag === 1 || tag === 4) shown.set(tag, pathField(payload));
    else if (tag === 2) {
      const entries = listField(payload, ARGUMENTS);
      check(entries.length > 0, 12);
      shown.set(tag, listed(entries));
    } else if (tag === 3) shown.set(tag, listed(variablesField(payload)));
    else if (tag === 5) shown.set(tag, descriptorsField(payload));
    else if (tag >= 16 && tag <= 20) shown.set(tag, `${tag - 16}=${limitField(payload)}`);
    else if (JAIL_TAGS.includes(tag)) shown.set(tag, jailField(tag, payload));
    else check(false, 8);
    last = tag;
    offset += length;
  }
  for (const tag of [1, 2, 3, 4, 5]) check(shown.has(tag), 10);
  if (JAIL_TAGS.some((tag) => shown.has(tag))) for (const tag of JAIL_TAGS) check(shown.has(tag), 10);
  return [...shown.values()].join(' ');
}

/** The line that `spec-verdict` must print for these bytes. */
export function expectedVerdict(bytes: Buffer): string {
  try {
    return `${OK} ${readFields(bytes)}`;
  } catch (error) {
    if (error instanceof Refusal) return String(error.code);
    throw error;
  }
}
