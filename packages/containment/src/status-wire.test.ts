import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeRecord, encodeCommand, RECORD_BYTES, recordReader, type StatusRecord } from './status-wire.js';

function record(kind: number, fill: (bytes: Buffer) => void = () => {}): Buffer {
  const bytes = Buffer.alloc(RECORD_BYTES);
  bytes.write('MWST', 0, 'latin1');
  bytes.writeUInt16LE(1, 4);
  bytes.writeUInt16LE(kind, 6);
  fill(bytes);
  return bytes;
}

const exited = record(4, (bytes) => {
  bytes.writeInt32LE(137, 20);
  bytes.writeBigUInt64LE(1_500n, 32);
  bytes.writeBigUInt64LE(2_500n, 40);
  bytes.writeBigUInt64LE(4_096n, 48);
  bytes.writeUInt32LE(0b1100_0011, 56);
});

describe('status records', () => {
  it('keep an exit code of 137 apart from a kill', () => {
    const killed = record(4, (bytes) => {
      bytes.writeInt32LE(-1, 20);
      bytes.writeInt32LE(9, 24);
    });
    expect(decodeRecord(exited)).toEqual({
      kind: 'exited',
      exit: {
        code: 137,
        signal: null,
        oomKilled: false,
        userTimeUs: 1500,
        systemTimeUs: 2500,
        maxRssBytes: 4096,
        layers: ['reaper', 'lifeline', 'no-new-privileges', 'tree-ended'],
      },
    });
    expect(decodeRecord(killed)).toMatchObject({ exit: { code: null, signal: 9 } });
  });

  it('name the step and the errno of a failure', () => {
    const failed = record(3, (bytes) => {
      bytes.writeUInt16LE(13, 8);
      bytes.writeInt32LE(13, 12);
    });
    expect(decodeRecord(failed)).toEqual({
      kind: 'failed',
      stage: 'execute the program',
      errno: 13,
      detail: 0,
    });
  });

  it('tell a descriptor without a pipe from one with', () => {
    const ready = record(1, (bytes) => {
      bytes.writeUInt32LE(2, 16);
      bytes.writeUInt16LE(0xffff, 20);
      bytes.writeUInt16LE(9, 22);
    });
    expect(decodeRecord(ready)).toEqual({ kind: 'ready', runtimeEnds: [null, 9] });
  });

  it.each([
    ['a short one', exited.subarray(1)],
    ['another magic', Buffer.concat([Buffer.from('XXXX'), exited.subarray(4)])],
    ['another version', record(4, (bytes) => bytes.writeUInt16LE(2, 4))],
    ['an unknown kind', record(5)],
    ['an unknown step', record(3, (bytes) => bytes.writeUInt16LE(999, 8))],
    ['more descriptors than there can be', record(1, (bytes) => bytes.writeUInt32LE(20, 16))],
  ])('are refused: %s', (_name, bytes) => {
    expect(() => decodeRecord(bytes)).toThrow();
  });

  it('arrive whole however the stream is cut', () => {
    const stream = Buffer.concat([record(2, (bytes) => bytes.writeUInt32LE(77, 20)), exited, record(2)]);
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length), { maxLength: 20 }), (cuts) => {
        const seen: StatusRecord[] = [];
        const read = recordReader((next) => seen.push(next));
        const edges = [0, ...cuts.sort((a, b) => a - b), stream.length];
        for (const [index, edge] of edges.slice(1).entries()) read(stream.subarray(edges[index], edge));
        expect(seen.map(({ kind }) => kind)).toEqual(['started', 'exited', 'started']);
      }),
    );
  });
});

describe('commands', () => {
  it('are eight bytes each', () => {
    expect(encodeCommand({ kind: 'go' }).toString('hex')).toBe('4301000000000000');
    expect(encodeCommand({ kind: 'signal', signal: 15 }).toString('hex')).toBe('43020f0000000000');
    expect(encodeCommand({ kind: 'kill' }).toString('hex')).toBe('4303000000000000');
  });
});
