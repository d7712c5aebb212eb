import { expect, test } from 'vitest';
import { A, AAAA, bench, decodeReply, query, rules } from './support.js';

/** Numbers that look random and are the same in every run. */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % below;
  };
}

const SEEDS = [
  query({ name: 'api.example.com' }),
  query({ name: 'api.example.com', type: AAAA, edns: { payloadBytes: 4096 } }),
  query({ name: 'x.example', type: 16, edns: { payloadBytes: 100 } }),
  query({ name: 'a.'.repeat(120), type: A }),
  query({ name: [...Array(4)].map((_, index) => Buffer.alloc(index === 3 ? 61 : 63, 97)) }),
];

function mutated(next: (below: number) => number): Uint8Array {
  const seed = SEEDS[next(SEEDS.length)] ?? new Uint8Array(0);
  let bytes = Buffer.from(seed);
  for (let changes = next(6); changes > 0; changes -= 1) {
    const at = next(bytes.length + 1);
    switch (next(7)) {
      case 0:
        bytes = bytes.subarray(0, at);
        break;
      case 1:
        bytes = Buffer.concat([bytes, Buffer.from(seed).subarray(0, next(40))]);
        break;
      case 2:
        bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from([0xc0, next(256)]), bytes.subarray(at)]);
        break;
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.min(bytes.length, at + next(8)))]);
        break;
      default:
        if (at < bytes.length) bytes[at] = [next(256), 0, 0xff, 0xc0, 63, 64, 1][next(7)] ?? 0;
    }
  }
  return bytes;
}

test('100,000 damaged datagrams: no throw, nothing unlisted asked, every reply well formed and bounded', async () => {
  const next = sequence(20);
  const { egress, asked, events } = bench({
    rules: rules('api.example.com'),
    zone: { 'api.example.com': ['1.1.1.1', '10.0.0.1', '2606::1', '::1'] },
    limits: { questionsPerSecond: 1e9 },
  });
  const outcomes = new Map<string, number>();
  for (let round = 0; round < 100_000; round += 1) {
    const datagram = mutated(next);
    const before = Buffer.from(datagram);
    const reply = await egress.answerDns(datagram);
    events.length = 0;
    if (!before.equals(datagram)) throw new Error('the datagram was written to');
    if (reply === null) {
      outcomes.set('silence', (outcomes.get('silence') ?? 0) + 1);
      continue;
    }
    if (reply.length > 1_232) throw new Error('a reply too long');
    const decoded = decodeReply(reply);
    if (decoded.id !== before.readUInt16BE(0)) throw new Error('another id');
    // No amplifier: an address record for each question at most, and none without the question.
    if (reply.length > before.length + 28 + 11) throw new Error('a reply that grows');
    for (const address of decoded.addresses) {
      if (!['1.1.1.1', '2606:0000:0000:0000:0000:0000:0000:0001'].includes(address)) throw new Error(address);
    }
    const outcome = decoded.addresses.length > 0 ? 'answer' : String(decoded.rcode);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  expect(new Set(asked)).toEqual(new Set(['api.example.com 4', 'api.example.com 6']));
  // The mutations reach every way out; otherwise they prove little.
  expect([...outcomes.keys()].sort()).toEqual(['0', '1', '3', '5', 'answer', 'silence']);
});
