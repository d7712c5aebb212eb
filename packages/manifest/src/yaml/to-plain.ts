import { isMap, isScalar, isSeq, type ParsedNode, type Scalar } from 'yaml';
import { dottedKey, type KeyPath } from '../key-path.js';
import type { JsonValue, KeyPosition, Position } from '../types.js';

/** A value of the document that is refused, and where it starts. */
interface RefusedNode {
  readonly offset: number;
  readonly path: KeyPath | null;
  readonly reason: string;
}

export interface PlainOptions {
  readonly keepsSource: (path: KeyPath, source: string) => boolean;
  readonly positionAt: (offset: number) => Position;
}

/** What a document holds, or the first value in it that is refused. */
export type PlainResult =
  | { readonly value: JsonValue; readonly positions: Map<string, KeyPosition> }
  | { readonly refused: RefusedNode };

/** Turns parsed nodes into plain data and notes where every key stands. */
export function toPlain(root: ParsedNode | null, options: PlainOptions): PlainResult {
  const positions = new Map<string, KeyPosition>();
  let refused: RefusedNode | null = null;
  const refuse = (offset: number, path: KeyPath | null, reason: string): null => {
    refused ??= { offset, path, reason };
    return null;
  };

  const read = (node: ParsedNode | null, path: KeyPath): JsonValue => {
    if (node === null || refused !== null) return null;
    if (isScalar(node)) return readScalar(node, path);
    if (isSeq<ParsedNode>(node)) {
      return node.items.map((item, index) => {
        const place = options.positionAt(item?.range[0] ?? node.range[0]);
        const itemPath = [...path, index];
        positions.set(dottedKey(itemPath), { key: place, value: place });
        return read(item, itemPath);
      });
    }
    if (!isMap<ParsedNode, ParsedNode | null>(node))
      return refuse(node.range[0], null, 'an alias is not accepted');
    const entries: { [key: string]: JsonValue } = {};
    for (const { key, value } of node.items) {
      const offset = key.range[0];
      if (!isScalar(key) || typeof key.value !== 'string')
        return refuse(offset, null, 'a key must be plain text');
      const keyPath = [...path, key.value];
      if (key.value === '__proto__') return refuse(offset, null, 'the key __proto__ is not accepted');
      if (holdsLoneSurrogate(key.value)) return refuse(offset, null, 'a key is not valid Unicode text');
      if (Object.hasOwn(entries, key.value)) {
        return refuse(offset, null, `the key ${dottedKey(keyPath)} is written twice`);
      }
      const place = options.positionAt(offset);
      positions.set(dottedKey(keyPath), {
        key: place,
        value: value === null ? place : options.positionAt(value.range[0]),
      });
      entries[key.value] = read(value, keyPath);
    }
    return entries;
  };

  const readScalar = (node: Scalar.Parsed, path: KeyPath): JsonValue => {
    const { value } = node;
    const [offset] = node.range;
    if (typeof value === 'number') {
      if (options.keepsSource(path, node.source)) return node.source;
      if (!Number.isFinite(value)) return refuse(offset, path, 'is not a finite number');
      if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
        return refuse(offset, path, 'is a whole number too large to be held exactly; write it in quotes');
      }
      return value;
    }
    if (typeof value === 'string') {
      return holdsLoneSurrogate(value) ? refuse(offset, path, 'is not valid Unicode text') : value;
    }
    return value === true || value === false || value === null
      ? value
      : refuse(offset, path, 'is of a kind that is not accepted');
  };

  const value = read(root, []);
  return refused === null ? { value, positions } : { refused };
}

function holdsLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}
