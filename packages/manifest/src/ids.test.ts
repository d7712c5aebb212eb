import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idTimeMs, isId, isUuidv7, mintId, uuidv7 } from './ids.js';

const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });
const bytes = fc.uint8Array({ minLength: 10, maxLength: 10 });

describe('ids', () => {
  it('are a prefix and a UUID of version 7 without hyphens', () => {
    const id = mintId('ses', 0x0123456789ab, () => new Uint8Array(10).fill(0xff));
    expect(id).toBe('ses_0123456789ab7fffbfffffffffffffff');
  });

  it('carry the moment, whatever it is, and pass their own check', () => {
    fc.assert(
      fc.property(time, bytes, (nowMs, random) => {
        const id = mintId('ctx', nowMs, () => random);
        expect(isId('ctx', id)).toBe(true);
        expect(isId('ses', id)).toBe(false);
        expect(idTimeMs(id)).toBe(nowMs);
        expect(isUuidv7(uuidv7(nowMs, () => random))).toBe(true);
      }),
    );
  });

  it('sort by time', () => {
    fc.assert(
      fc.property(time, time, (one, other) => {
        fc.pre(one < other);
        expect(mintId('msg', one, randomBytes) < mintId('msg', other, randomBytes)).toBe(true);
      }),
    );
  });

  it('do not change the random bytes they are given', () => {
    const random = new Uint8Array(10);
    mintId('ses', 0, () => random);
    expect([...random]).toEqual(new Array(10).fill(0));
  });

  it.each([
    ['ses', `ses_${'0'.repeat(12)}7${'0'.repeat(3)}8${'0'.repeat(15)}`, true],
    ['ses', `ses_${'0'.repeat(12)}4${'0'.repeat(3)}8${'0'.repeat(15)}`, false],
    ['ses', `ses_${'0'.repeat(32)}`, false],
    ['ses', 'ses_', false],
    ['ses', 'ses_../../etc', false],
    ['frm', `frm_${'a'.repeat(32)}`, true],
    ['frm', `frm_${'a'.repeat(31)}`, false],
    ['frm', `frm_${'A'.repeat(32)}`, false],
    ['prc', 'prc_0f', true],
    ['prc', 'prc_', false],
    ['prc', 'prc_0f\n', false],
  ] as const)('%s: %s is one: %s', (prefix, text, valid) => {
    expect(isId(prefix, text)).toBe(valid);
  });

  it('refuse a time or a source of randomness that is none', () => {
    expect(() => mintId('ses', -1, randomBytes)).toThrow(RangeError);
    expect(() => mintId('ses', 2 ** 48, randomBytes)).toThrow(RangeError);
    expect(() => mintId('ses', 0, () => new Uint8Array(3))).toThrow(RangeError);
  });

  it('have no moment where there is none', () => {
    expect(idTimeMs(`frm_${'a'.repeat(32)}`)).toBeNull();
    expect(idTimeMs('')).toBeNull();
  });
});
