import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { A, AAAA, decodeReply, query, words } from '../test/support.js';
import { type Address, addressOfBytes } from './address.js';
import { readQuestion, writeReply } from './dns-message.js';

function question(datagram: Uint8Array) {
  const reading = readQuestion(datagram);
  if (reading.kind !== 'question') throw new Error(reading.kind);
  return reading.question;
}

function rcodeOf(datagram: Uint8Array): number | 'question' | 'silence' {
  const reading = readQuestion(datagram);
  return reading.kind === 'reply' ? decodeReply(reading.bytes).rcode : reading.kind;
}

const PLAIN = query({ name: 'example.com' });
const FORMERR = 1;

describe('reading a question', () => {
  test('everything a client says', () => {
    const read = question(
      query({ id: 0xabcd, name: 'ExAmple.COM', type: AAAA, edns: { payloadBytes: 4096 } }),
    );
    expect(read).toMatchObject({
      id: 0xabcd,
      recursionDesired: true,
      name: 'example.com',
      shownName: 'ExAmple.COM',
      type: AAAA,
      class: 1,
      replyBytes: 1232,
      edns: true,
    });
    expect(question(PLAIN)).toMatchObject({ replyBytes: 512, edns: false });
    expect(question(query({ name: 'a', edns: { payloadBytes: 0 } })).replyBytes).toBe(512);
    expect(question(query({ name: 'a', edns: { payloadBytes: 700 } })).replyBytes).toBe(700);
  });

  test('a label with a dot, a NUL or an escape inside is no name of a rule', () => {
    for (const label of ['example.com', 'a\0', 'a\\046b', 'exämple', 'a b', '*', 'a\u007f']) {
      const read = question(query({ name: [Buffer.from(label, 'latin1')] }));
      expect([label, read.name]).toEqual([label, null]);
      expect(read.shownName).toMatch(/^[A-Za-z0-9_\\-]+$/);
    }
    expect(question(query({ name: [Buffer.from('a.b'), Buffer.from('c')] })).shownName).toBe('a\\046b.c');
    expect(question(query({ name: '' }))).toMatchObject({ name: null, shownName: '.' });
  });

  test('a response and a header that is cut are met with silence', () => {
    expect(rcodeOf(query({ name: 'a', flags: 0x8100 }))).toBe('silence');
    expect(rcodeOf(new Uint8Array(0))).toBe('silence');
    expect(rcodeOf(PLAIN.subarray(0, 11))).toBe('silence');
  });

  const name = (...bytes: number[]) =>
    Buffer.concat([words(7, 0x0100, 1, 0, 0, 0), Uint8Array.from(bytes), words(1, 1)]);
  test.each([
    ['cut anywhere', PLAIN.subarray(0, PLAIN.length - 1)],
    ['more behind it', Buffer.concat([PLAIN, Uint8Array.of(0)])],
    ['no question', words(7, 0x0100, 0, 0, 0, 0)],
    ['two questions', Buffer.concat([words(7, 0x0100, 2, 0, 0, 0), PLAIN.subarray(12), PLAIN.subarray(12)])],
    ['a question that is not counted', Buffer.concat([words(7, 0x0100, 0, 0, 0, 0), PLAIN.subarray(12)])],
    ['one question counted as two', Buffer.concat([words(7, 0x0100, 2, 0, 0, 0), PLAIN.subarray(12)])],
    ['answers in it', Buffer.concat([words(7, 0x0100, 1, 1, 0, 0), PLAIN.subarray(12)])],
    ['another operation', query({ name: 'a', flags: 0x2800 })],
    ['a pointer to itself', name(0xc0, 12)],
    ['a pointer into the header', name(1, 97, 0xc0, 0)],
    ['a pointer forward', name(0xc0, 14, 0)],
    ['a pointer that could be a long label', name(0xc0, ...Array(192).fill(97), 0)],
    ['a label of 64 bytes', name(64, ...Array(64).fill(97), 0)],
    ['a label of another kind', name(0x41, 0, 0)],
    ['a label past the end', name(63, 97)],
    ['a name of 256 bytes', query({ name: [...Array(4)].map(() => Buffer.alloc(63, 97)) })],
    ['too long a datagram', Buffer.concat([PLAIN, new Uint8Array(5_000)])],
    ['two OPT records', twoOptions()],
    ['an OPT record that is cut', query({ name: 'a', edns: { payloadBytes: 512 } }).subarray(0, -1)],
    ['a record longer than it is', longRecord()],
  ])('%s: a format error', (_, datagram) => {
    expect(rcodeOf(datagram)).toBe(FORMERR);
  });

  test('the longest name there is', () => {
    const labels = [63, 63, 63, 61].map((length) => Buffer.alloc(length, 97));
    expect(question(query({ name: labels })).name).toHaveLength(253);
  });

  test('an unknown version of EDNS is named as such', () => {
    const reading = readQuestion(query({ name: 'a', edns: { payloadBytes: 512, version: 1 } }));
    if (reading.kind !== 'reply') throw new Error(reading.kind);
    expect(decodeReply(reading.bytes)).toMatchObject({ rcode: 0, edns: { extendedRcode: 1 } });
  });
});

describe('writing a reply', () => {
  const labels = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 5 });
  const edns = fc.option(fc.record({ payloadBytes: fc.nat(0xffff) }), { nil: undefined });

  test('gives back what went in', () => {
    const many = (length: number) =>
      fc.array(fc.uint8Array({ minLength: length, maxLength: length }), { maxLength: 60 });
    fc.assert(
      fc.property(
        fc.nat(0xffff),
        labels,
        edns,
        fc.oneof(
          fc.record({ type: fc.constant(A), raw: many(4) }),
          fc.record({ type: fc.constant(AAAA), raw: many(16) }),
        ),
        fc.nat(0xffff_ffff),
        (id, name, options, { type, raw }, ttlSeconds) => {
          const datagram = query({ id, name, type, ...(options === undefined ? {} : { edns: options }) });
          const asked = question(datagram);
          const addresses: Address[] = raw
            .map(addressOfBytes)
            .filter(({ family }) => family === (type === A ? 4 : 6));
          const bytes = writeReply(asked, { rcode: 0, addresses, ttlSeconds });
          expect(bytes.length).toBeLessThanOrEqual(asked.replyBytes);
          const reply = decodeReply(bytes);
          expect(reply).toMatchObject({ id, rcode: 0, truncated: false });
          expect(reply.edns === null).toBe(options === undefined);
          // The question comes back byte for byte, letter case included: clients compare it.
          expect(reply.question.equals(asked.questionBytes)).toBe(true);
          const texts = reply.addresses.map((each) => (type === A ? each : textOf(each)));
          expect(texts).toEqual(addresses.slice(0, texts.length).map(({ text }) => text));
          expect(reply.ttls.every((each) => each === ttlSeconds)).toBe(true);
          const oneMore = type === A ? 16 : 28;
          if (texts.length < addresses.length)
            expect(bytes.length + oneMore).toBeGreaterThan(asked.replyBytes);
          if (addresses.length > 0) expect(texts.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

function textOf(groups: string): string {
  return addressOfBytes(Uint8Array.from(Buffer.from(groups.replaceAll(':', ''), 'hex'))).text;
}

function twoOptions(): Uint8Array {
  const one = Buffer.from(query({ name: 'a', edns: { payloadBytes: 512 } }));
  const two = Buffer.concat([one, one.subarray(-11)]);
  two.writeUInt16BE(2, 10);
  return two;
}

function longRecord(): Uint8Array {
  const one = Buffer.from(query({ name: 'a', edns: { payloadBytes: 512 } }));
  one.writeUInt16BE(1, one.length - 2);
  return one;
}
