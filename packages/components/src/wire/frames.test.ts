import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Frame, FrameTooLarge, frameCollector, frameHead } from './frames.js';

const encode = (frame: Frame) => Buffer.concat([frameHead(frame.kind, frame.body.length), frame.body]);
const frame = fc.record({
  kind: fc.nat(255),
  body: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
});

describe('frameCollector', () => {
  it('finds the same frames however the bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.array(frame),
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }),
        (sent, sizes) => {
          const bytes = Buffer.concat(sent.map(encode));
          const collect = frameCollector(1_000);
          const received: Frame[] = [];
          for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
            const size = sizes[turn % sizes.length] ?? 1;
            received.push(...collect(bytes.subarray(at, at + size)));
            at += size;
          }
          expect(received).toEqual(sent);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('refuses a frame above the ceiling at its length, before its body', () => {
    expect(() => frameCollector(1_000)(frameHead(1, 1_000))).toThrow(FrameTooLarge);
    expect(() => frameCollector(1_000)(frameHead(1, 999))).not.toThrow();
    expect(() => frameCollector(1_000)(Buffer.from([0xff, 0xff, 0xff, 0xff]))).toThrow(FrameTooLarge);
  });

  it('refuses a frame without a kind', () => {
    expect(() => frameCollector(1_000)(Buffer.from([0, 0, 0, 0]))).toThrow(FrameTooLarge);
  });

  it('takes memory for bytes that came, not for a length that was announced or for the number of chunks', () => {
    const collect = frameCollector(64 * 1024 * 1024);
    collect(frameHead(1, 60_000_000));
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 200_000; count += 1) collect(Buffer.from([1]));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
  });
});
