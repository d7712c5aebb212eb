import type { Address } from './address.js';
import { canonicalAsciiName } from './host-name.js';

/** The part of DNS that is spoken here: one question about one name, addresses or nothing in return. */

export const RCODE = { noError: 0, formatError: 1, serverFailure: 2, noSuchName: 3, refused: 5 } as const;
/** Extended response code for a version of EDNS that is not spoken. */
const BAD_VERSION = 16;
export const TYPE = { A: 1, AAAA: 28, OPT: 41 } as const;
export const CLASS_IN = 1;

const HEADER_BYTES = 12;
const LONGEST_QUERY_BYTES = 4_096;
/** What a client can take that says nothing. */
const PLAIN_REPLY_BYTES = 512;
/** What is offered and used at most, whatever a client says it can take. */
const LARGEST_REPLY_BYTES = 1_232;

const FLAG_RESPONSE = 0x8000;
const FLAG_RECURSION_DESIRED = 0x0100;
const FLAG_RECURSION_AVAILABLE = 0x0080;
const OPCODE_MASK = 0x7800;

/** A question that can be answered. */
export interface DnsQuestion {
  readonly id: number;
  readonly recursionDesired: boolean;
  /** As it came, for the reply: name in its own letter case, type, class. */
  readonly questionBytes: Uint8Array;
  /** Canonical; null when no rule can name it. */
  readonly name: string | null;
  /** The name for people, everything unusual escaped. */
  readonly shownName: string;
  readonly type: number;
  readonly class: number;
  /** The reply's ceiling. */
  readonly replyBytes: number;
  readonly edns: boolean;
}

/** Reading a datagram: the question, a reply that says what is wrong, or silence. */
export type QuestionReading =
  | { readonly kind: 'question'; readonly question: DnsQuestion }
  | { readonly kind: 'reply'; readonly bytes: Uint8Array }
  | { readonly kind: 'silence' };

/**
 * Reads one datagram. Names are read as plain labels: a compression pointer has no place in a question, so
 * none is ever followed. Responses are met with silence, or two servers could be set on each other.
 */
export function readQuestion(datagram: Uint8Array): QuestionReading {
  if (datagram.length < HEADER_BYTES) return { kind: 'silence' };
  const view = new DataView(datagram.buffer, datagram.byteOffset, datagram.byteLength);
  const id = view.getUint16(0);
  const flags = view.getUint16(2);
  if ((flags & FLAG_RESPONSE) !== 0) return { kind: 'silence' };
  const malformed: QuestionReading = {
    kind: 'reply',
    bytes: headerOnly(id, flags & (OPCODE_MASK | FLAG_RECURSION_DESIRED), RCODE.formatError),
  };
  if (datagram.length > LONGEST_QUERY_BYTES || (flags & OPCODE_MASK) !== 0) return malformed;
  const [questions, answers, authorities, additional] = [4, 6, 8, 10].map((at) => view.getUint16(at));
  // One OPT and perhaps a signature: more is no question that a client asks.
  if (questions !== 1 || answers !== 0 || authorities !== 0 || (additional ?? 0) > 2) return malformed;

  const name = readName(datagram, HEADER_BYTES);
  if (name === null || name.end + 4 > datagram.length) return malformed;
  const options = readAdditional(datagram, view, name.end + 4, additional ?? 0);
  if (options === null) return malformed;

  const question: DnsQuestion = {
    id,
    recursionDesired: (flags & FLAG_RECURSION_DESIRED) !== 0,
    questionBytes: datagram.slice(HEADER_BYTES, name.end + 4),
    name: name.canonical,
    shownName: name.shown,
    type: view.getUint16(name.end),
    class: view.getUint16(name.end + 2),
    replyBytes:
      options.edns === null
        ? PLAIN_REPLY_BYTES
        : Math.min(Math.max(options.edns.payloadBytes, PLAIN_REPLY_BYTES), LARGEST_REPLY_BYTES),
    edns: options.edns !== null,
  };
  return options.edns !== null && options.edns.version !== 0
    ? { kind: 'reply', bytes: writeReply(question, { rcode: BAD_VERSION }) }
    : { kind: 'question', question };
}

/** What a reply says. */
export interface DnsReply {
  readonly rcode: number;
  /** Of the family that the question's type asks for. */
  readonly addresses?: readonly Address[];
  readonly ttlSeconds?: number;
}

/**
 * Writes a reply. Addresses that do not fit are left out without a truncation mark: the mark sends clients to
 * TCP, where nobody listens, while any of the addresses serves them.
 */
export function writeReply(
  question: DnsQuestion,
  { rcode, addresses = [], ttlSeconds = 0 }: DnsReply,
): Uint8Array {
  const optionBytes = question.edns ? 11 : 0;
  const fixed = HEADER_BYTES + question.questionBytes.length + optionBytes;
  const recordBytes = 12 + (question.type === TYPE.AAAA ? 16 : 4);
  const fitting = addresses.slice(0, Math.max(0, Math.floor((question.replyBytes - fixed) / recordBytes)));

  const reply = new Uint8Array(fixed + fitting.length * recordBytes);
  const view = new DataView(reply.buffer);
  reply.set(headerOnly(question.id, question.recursionDesired ? FLAG_RECURSION_DESIRED : 0, rcode & 0x0f));
  view.setUint16(4, 1);
  view.setUint16(6, fitting.length);
  view.setUint16(10, question.edns ? 1 : 0);
  reply.set(question.questionBytes, HEADER_BYTES);
  let at = HEADER_BYTES + question.questionBytes.length;
  for (const { bytes } of fitting) {
    view.setUint16(at, 0xc000 | HEADER_BYTES); // the question's name
    view.setUint16(at + 2, question.type);
    view.setUint16(at + 4, CLASS_IN);
    view.setUint32(at + 6, ttlSeconds);
    view.setUint16(at + 10, bytes.length);
    reply.set(bytes, at + 12);
    at += 12 + bytes.length;
  }
  if (question.edns) {
    view.setUint16(at + 1, TYPE.OPT); // behind the root's empty name
    view.setUint16(at + 3, LARGEST_REPLY_BYTES);
    reply[at + 5] = rcode >> 4;
  }
  return reply;
}

function headerOnly(id: number, flags: number, rcode: number): Uint8Array {
  const header = new Uint8Array(HEADER_BYTES);
  const view = new DataView(header.buffer);
  view.setUint16(0, id);
  view.setUint16(2, FLAG_RESPONSE | FLAG_RECURSION_AVAILABLE | flags | rcode);
  return header;
}

interface NameReading {
  /** The offset behind the name. */
  readonly end: number;
  readonly canonical: string | null;
  readonly shown: string;
}

function readName(datagram: Uint8Array, start: number): NameReading | null {
  const labels: Uint8Array[] = [];
  let at = start;
  for (;;) {
    const length = datagram[at];
    // 255 bytes with all lengths; the two high bits mark pointers and kinds of labels that never came into use.
    if (length === undefined || length > 63 || at + 1 + length - start > 255) return null;
    at += 1;
    if (length === 0) break;
    if (at + length > datagram.length) return null;
    labels.push(datagram.subarray(at, at + length));
    at += length;
  }
  const shown = labels.map(shownLabel).join('.');
  // An escape holds a backslash, so a label with a dot inside never looks like two labels.
  return { end: at, canonical: canonicalAsciiName(shown), shown: shown === '' ? '.' : shown };
}

function shownLabel(label: Uint8Array): string {
  return Array.from(label, (byte) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9_-]/.test(character) ? character : `\\${String(byte).padStart(3, '0')}`;
  }).join('');
}

interface AdditionalReading {
  readonly edns: { readonly payloadBytes: number; readonly version: number } | null;
}

function readAdditional(
  datagram: Uint8Array,
  view: DataView,
  start: number,
  count: number,
): AdditionalReading | null {
  let at = start;
  let edns: AdditionalReading['edns'] = null;
  for (let record = 0; record < count; record += 1) {
    const name = readName(datagram, at);
    if (name === null || name.end + 10 > datagram.length) return null;
    if (view.getUint16(name.end) === TYPE.OPT) {
      if (edns !== null || name.end !== at + 1) return null;
      edns = { payloadBytes: view.getUint16(name.end + 2), version: view.getUint8(name.end + 5) };
    }
    at = name.end + 10 + view.getUint16(name.end + 8);
  }
  return at === datagram.length ? { edns } : null;
}
