import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  booleanMember,
  countMember,
  listMember,
  MAX_JSON_DEPTH,
  numberMember,
  objectMember,
  readJson,
  readJsonObject,
  stringMember,
} from './json-line.js';

test('reads objects and nothing else, never throwing', () => {
  expect(readJsonObject('{"a":1}')).toEqual({ a: 1 });
  for (const line of ['', 'null', '[]', '"x"', '1', '{', '{"a":1}x', 'not json'])
    expect(readJsonObject(line)).toBeUndefined();
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      (line) => readJsonObject(line) === undefined || line.includes('{'),
    ),
  );
});

test('reads any JSON as the platform does', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(readJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('nesting past the limit is unread, at the limit read, and brackets inside strings do not count', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  expect(readJson(nested(MAX_JSON_DEPTH))).toBeDefined();
  expect(readJson(nested(MAX_JSON_DEPTH + 1))).toBeUndefined();
  expect(readJson('{"a":'.repeat(5000))).toBeUndefined();
  const inText = JSON.stringify({ a: `"\\${'[{'.repeat(5000)}` });
  expect(readJsonObject(inText)).toEqual(JSON.parse(inText));
  const many = JSON.stringify(Array.from({ length: 5000 }, () => ({})));
  expect(readJson(many)).toHaveLength(5000);
});

test('a member of another type is absent, and so is one the prototype has', () => {
  const object = readJsonObject(
    '{"s":"x","n":1.5,"c":3,"neg":-1,"big":1e300,"b":false,"o":{},"l":[],"z":null}',
  );
  expect(stringMember(object, 's')).toBe('x');
  expect(numberMember(object, 'n')).toBe(1.5);
  expect(countMember(object, 'c')).toBe(3);
  for (const key of ['n', 'neg', 'big', 's', 'z', 'missing'])
    expect(countMember(object, key)).toBeUndefined();
  expect(booleanMember(object, 'b')).toBe(false);
  expect(objectMember(object, 'o')).toEqual({});
  expect(listMember(object, 'l')).toEqual([]);
  for (const key of ['l', 'z', '__proto__', 'constructor', 'toString'])
    expect(objectMember(object, key)).toBeUndefined();
  expect(stringMember(undefined, 's')).toBeUndefined();
});
