import {
  createEgress,
  type Egress,
  type EgressEvent,
  type EgressOptions,
  type EgressRule,
  type NameAnswer,
} from '../src/index.js';

/** Rules as short lines: `host`, `host:port`, `http://host`. IPv6 in brackets. For tests only. */
export function rules(...lines: string[]): EgressRule[] {
  return lines.map((line) => {
    const [, scheme, host = '', port] = /^(?:(https?):\/\/)?(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(line) ?? [];
    return {
      scheme: scheme === 'http' || scheme === 'https' ? scheme : null,
      host: host.replace(/^\[|\]$/g, ''),
      port: port === undefined ? null : Number(port),
    };
  });
}

/** Name → addresses of both families; a missing name does not exist, null is silence. */
export type Zone = Record<string, readonly string[] | null>;

export interface Bench {
  readonly egress: Egress;
  readonly events: EgressEvent[];
  readonly asked: string[];
  readonly zone: Zone;
  readonly clock: { ms: number };
}

/** An egress over a zone that tests may change, a clock that tests move, and a log of both sides. */
export function bench(
  options: { rules: readonly EgressRule[]; zone?: Zone } & Partial<EgressOptions>,
): Bench {
  const events: EgressEvent[] = [];
  const asked: string[] = [];
  const clock = { ms: 1_000_000 };
  const zone: Zone = options.zone ?? {};
  const egress = createEgress({
    resolve: async (name, family): Promise<NameAnswer> => {
      asked.push(`${name} ${family}`);
      const addresses = Object.hasOwn(zone, name) ? zone[name] : undefined;
      if (addresses === undefined) return { outcome: 'no-such-name' };
      if (addresses === null) return { outcome: 'failed' };
      return {
        outcome: 'found',
        addresses: addresses.filter((each) => each.includes(':') === (family === 6)),
      };
    },
    hostAddresses: [],
    onEvent: (event) => events.push(event),
    clock: () => clock.ms,
    ...options,
  });
  return { egress, events, asked, zone, clock };
}

export const A = 1;
export const AAAA = 28;

export interface QueryParts {
  readonly id?: number;
  readonly flags?: number;
  readonly name: string | readonly Uint8Array[];
  readonly type?: number;
  readonly class?: number;
  readonly edns?: { readonly payloadBytes: number; readonly version?: number };
}

/** A DNS question as a client would write it. */
export function query(parts: QueryParts): Uint8Array {
  const labels =
    typeof parts.name === 'string'
      ? parts.name
          .split('.')
          .filter((label) => label !== '')
          .map((label) => Buffer.from(label, 'latin1'))
      : parts.name;
  const { id = 7, flags = 0x0100, type = A, edns } = parts;
  return Buffer.concat([
    words(id, flags, 1, 0, 0, edns === undefined ? 0 : 1),
    ...labels.flatMap((label) => [Uint8Array.of(label.length), label]),
    Uint8Array.of(0),
    words(type, parts.class ?? 1),
    ...(edns === undefined
      ? []
      : [Uint8Array.of(0), words(41, edns.payloadBytes), Uint8Array.of(0, edns.version ?? 0, 0, 0, 0, 0)]),
  ]);
}

export function words(...values: number[]): Uint8Array {
  return Uint8Array.from(values.flatMap((value) => [value >> 8, value & 0xff]));
}

export interface ReplyParts {
  readonly id: number;
  readonly rcode: number;
  readonly truncated: boolean;
  readonly question: Buffer;
  readonly addresses: readonly string[];
  readonly ttls: readonly number[];
  readonly edns: { readonly payloadBytes: number; readonly extendedRcode: number } | null;
}

/** Reads a reply strictly: whatever a well-behaved server would not write throws. */
export function decodeReply(reply: Uint8Array | null): ReplyParts {
  if (reply === null) throw new Error('silence');
  const bytes = Buffer.from(reply);
  const [id, flags, questions, answers, authorities, additional] = [0, 2, 4, 6, 8, 10].map((at) =>
    bytes.readUInt16BE(at),
  ) as [number, number, number, number, number, number];
  if ((flags & 0x8000) === 0) throw new Error('not a reply');
  if (authorities !== 0) throw new Error('authorities');
  let at = 12;
  for (let left = questions; left > 0; left -= 1) {
    while (bytes.readUInt8(at) !== 0) at += bytes.readUInt8(at) + 1;
    at += 5;
  }
  const question = bytes.subarray(12, at);
  const addresses: string[] = [];
  const ttls: number[] = [];
  for (let left = answers; left > 0; left -= 1) {
    if (bytes.readUInt16BE(at) !== 0xc00c) throw new Error('name of a record');
    if (!question.subarray(-4).equals(bytes.subarray(at + 2, at + 6))) throw new Error('type of a record');
    ttls.push(bytes.readUInt32BE(at + 6));
    const length = bytes.readUInt16BE(at + 10);
    const data = bytes.subarray(at + 12, at + 12 + length);
    addresses.push(length === 4 ? data.join('.') : (data.toString('hex').match(/..../g) ?? []).join(':'));
    at += 12 + length;
  }
  let edns: ReplyParts['edns'] = null;
  if (additional === 1) {
    if (bytes.readUInt8(at) !== 0 || bytes.readUInt16BE(at + 1) !== 41) throw new Error('no OPT record');
    edns = { payloadBytes: bytes.readUInt16BE(at + 3), extendedRcode: bytes.readUInt8(at + 5) };
    at += 11;
  }
  if (at !== bytes.length) throw new Error('trailing bytes');
  return { id, rcode: flags & 0xf, truncated: (flags & 0x0200) !== 0, question, addresses, ttls, edns };
}

/** Asks and reads the reply. */
export async function ask(egress: Egress, parts: QueryParts | string, type = A): Promise<ReplyParts> {
  return decodeReply(
    await egress.answerDns(query(typeof parts === 'string' ? { name: parts, type } : parts)),
  );
}
