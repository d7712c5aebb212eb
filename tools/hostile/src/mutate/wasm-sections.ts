// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are what is tried
import type { Random } from '../random.js';
import { hostileTexts } from './hostile-values.js';
import { mutateBytes } from './mutate-bytes.js';

/** A section of a WebAssembly binary, its length in a form of the writer's choice. */
export interface WasmSection {
  id: number;
  body: Buffer;
  /** Written instead of the true length; null for the truth. */
  length: Buffer | null;
}

const HEADER_BYTES = 8;

/** A number in as few bytes as it takes, or in more than it should. */
export function leb(value: number, padded = 0): Buffer {
  const bytes: number[] = [];
  let rest = value;
  do {
    bytes.push((rest & 0x7f) | 0x80);
    rest = Math.floor(rest / 128);
  } while (rest > 0);
  for (let left = padded; left > 0; left -= 1) bytes.push(0x80);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) & 0x7f;
  return Buffer.from(bytes);
}

/** The sections of a binary that is known to be well made. */
export function sectionsOf(binary: Uint8Array): WasmSection[] {
  const sections: WasmSection[] = [];
  let at = HEADER_BYTES;
  while (at < binary.length) {
    const id = binary[at] ?? 0;
    let length = 0;
    let shift = 0;
    let byte: number;
    do {
      at += 1;
      byte = binary[at] ?? 0;
      length += (byte & 0x7f) * 2 ** shift;
      shift += 7;
    } while ((byte & 0x80) !== 0);
    at += 1;
    sections.push({ id, body: Buffer.from(binary.subarray(at, at + length)), length: null });
    at += length;
  }
  return sections;
}

/** The bytes of a binary with these sections. */
export function writeSections(header: Uint8Array, sections: readonly WasmSection[]): Buffer {
  return Buffer.concat([
    header,
    ...sections.flatMap(({ id, body, length }) => [Buffer.from([id]), length ?? leb(body.length), body]),
  ]);
}

/** Sections without what makes a real component large: readers of names step over it. */
export const withoutBulk = (sections: readonly WasmSection[]): WasmSection[] =>
  sections.map((section) => ({
    ...section,
    body: section.body.length > 4096 ? section.body.subarray(0, 256) : section.body,
  }));

const names: readonly string[] = [
  ...hostileTexts.slice(0, -1),
  "a');globalThis.x=1;('",
  '`${process.exit(7)}`',
  'murmur:driver/process@0.6.0',
  'murmur:driver/process@0.6.1',
  'wasi:io/streams@0.2.6',
  'wasi:../../x@0',
  '[method]a.b',
  '[resource-drop]a',
];

/** Replaces one name, its length told right or wrong. */
function replaceName(body: Buffer, random: Random): Buffer {
  const at = random.int(body.length + 1);
  const name = Buffer.from(random.pick(names));
  const told = random.oneIn(3) ? random.int(2 ** 31) : name.length;
  return Buffer.concat([body.subarray(0, at), leb(told, random.oneIn(6) ? 4 : 0), name, body.subarray(at)]);
}

/** A well-made import or export section with one hostile name. */
function forgedSection(random: Random): WasmSection {
  const name = Buffer.from(random.pick(names));
  const id = random.pick([10, 11]);
  const description = id === 10 ? Buffer.from([random.int(6), 0, 0]) : Buffer.from([random.int(6), 0, 0]);
  const count = random.oneIn(5) ? random.pick([0, 2, 1000, 0xffff_ffff]) : 1;
  return {
    id,
    body: Buffer.concat([leb(count), Buffer.from([random.int(3)]), leb(name.length), name, description]),
    length: null,
  };
}

/** Changes a few things about the sections; returns the bytes. */
export function mutateSections(header: Uint8Array, original: readonly WasmSection[], random: Random): Buffer {
  const sections = original.map((section) => ({ ...section }));
  let head: Uint8Array = header;
  for (let left = 1 + random.int(3); left > 0; left -= 1) {
    const at = random.int(Math.max(1, sections.length));
    const section = sections[at];
    switch (random.int(10)) {
      case 0:
        if (section !== undefined) section.id = random.oneIn(2) ? random.int(14) : random.int(256);
        break;
      case 1:
        if (section !== undefined)
          section.length = random.pick([
            leb(0),
            leb(section.body.length + 1),
            leb(0xffff_ffff),
            leb(section.body.length, 3),
            Buffer.alloc(12, 0xff),
          ]);
        break;
      case 2:
        sections.splice(at, 1);
        break;
      case 3:
        if (section !== undefined) sections.splice(random.int(sections.length + 1), 0, { ...section });
        break;
      case 4:
        sections.splice(random.int(sections.length + 1), 0, forgedSection(random));
        break;
      case 5:
        head = mutateBytes(head, random);
        break;
      case 6:
        if (section !== undefined) section.body = replaceName(section.body, random);
        break;
      case 7:
        // A component in a component in a component.
        if (section !== undefined && random.oneIn(3)) {
          let inner = writeSections(header, sections.slice(0, 2));
          for (let depth = random.skewed(2000); depth > 0 && inner.length < 200_000; depth -= 1)
            inner = Buffer.concat([header, Buffer.from([4]), leb(inner.length), inner]);
          sections.splice(at, 0, { id: 4, body: inner, length: null });
        }
        break;
      default:
        if (section !== undefined) section.body = mutateBytes(section.body, random);
    }
  }
  const bytes = writeSections(head, sections);
  return random.oneIn(10) ? mutateBytes(bytes, random) : bytes;
}
