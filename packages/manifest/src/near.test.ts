import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, nearest } from './near.js';

const distance = (from: string, to: string): number => editDistance([...from], [...to]);

describe('the distance of two words', () => {
  it.each([
    ['', '', 0],
    ['abc', '', 3],
    ['read-only', 'read_only', 1],
    ['nmae', 'name', 1],
    ['ca', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['é', 'e', 1],
    ['😀a', 'a', 1],
  ])('of %s and %s is %i', (from, to, expected) => {
    expect(distance(from, to)).toBe(expected);
  });

  it('is symmetric, zero only for equals, and at most the longer length', () => {
    const word = fc.string({ maxLength: 12, unit: fc.constantFrom('a', 'b', 'c') });
    fc.assert(
      fc.property(word, word, (one, other) => {
        expect(distance(one, other)).toBe(distance(other, one));
        expect(distance(one, other) === 0).toBe(one === other);
        expect(distance(one, other)).toBeLessThanOrEqual(Math.max(one.length, other.length));
      }),
    );
  });
});

describe('the nearest word', () => {
  it.each([
    ['nam', ['name', 'names'], 'name'],
    ['ab', ['xb', 'ax'], 'xb'],
    ['x', ['y'], 'y'],
    ['abcdef', ['abcxyz'], null],
    ['abcdefghi', ['abcdefxyz'], 'abcdefxyz'],
    ['completely-other', ['name', 'version'], null],
    ['a', [], null],
  ])('to %s among %j is %j', (word, candidates, expected) => {
    expect(nearest(word, candidates)).toBe(expected);
  });
});
