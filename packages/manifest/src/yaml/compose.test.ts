import { describe, expect, it } from 'vitest';
import { Parser } from 'yaml';
import { composeDocument } from './compose.js';
import { readYaml } from './read.js';

const compose = (text: string) => composeDocument([...new Parser().parse(text)], text.length);
const many = (text: string): string => text.repeat(200);

describe('a document with hundreds of faults', () => {
  it.each([
    ['commas', `k: [${many(',')}`],
    ['commas between values', `k: [a${many(',,b')}]`],
    ['values without commas', `k: [${many('{} ')}]`],
    ['entries without commas', `k: {${many('a: {} ')}}`],
    ['escapes', `k: "${many('\\q')}"`],
    ['lists as keys', many('[a]: b\n')],
    ['keys over lines', many('a\nb: c\n')],
    ['block headers', many('a: |x\n')],
    ['comments without a blank', many('a: "b"#c\n')],
    ['reserved characters', many('a: @b\n')],
    ['mappings after a list', many('- a\nb: c\n')],
    ['flow mappings over lines', many('{a: b,\nc: d}\n')],
    ['tabs', `k:\n${many('\t- a\n')}`],
  ])('is refused at the first: %s', (_what, text) => {
    expect(compose(text)).toEqual({
      offset: expect.any(Number),
      reason: expect.any(String),
      collected: 1,
    });
  });
});

it('the first fault keeps its place and its words', () => {
  expect(readYaml('a: 1\nk: [x,,y,,z]\n')).toEqual({
    ok: false,
    problem: { path: null, line: 2, column: 7, reason: expect.stringContaining('Unexpected ,') },
  });
});

it('a document without a fault is whole', () => {
  const composition = compose('a: [1, {b: c}]\n');
  expect('document' in composition && composition.document?.toJS()).toEqual({ a: [1, { b: 'c' }] });
  expect(compose('')).toMatchObject({ document: { contents: null } });
});
