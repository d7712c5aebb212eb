import { z } from 'zod';
import { unwrapped } from './camel-keys.js';
import { dottedKey, type KeyPath } from './key-path.js';
import { nearest } from './near.js';
import type { JsonValue } from './types.js';

/** A key that no schema claims. */
export interface UnknownKey {
  /** As written. */
  readonly key: string;
  /** The mapping that holds it. */
  readonly block: KeyPath;
  readonly suggestion: string | null;
}

/** Every key of a document that its schema does not know, in the order of the text. */
export function unknownKeys(schema: z.core.$ZodType, document: JsonValue): readonly UnknownKey[] {
  const found: UnknownKey[] = [];
  const walk = (wrapped: z.core.$ZodType, value: JsonValue, path: KeyPath): void => {
    const inner = unwrapped(wrapped);
    if (inner instanceof z.ZodArray && Array.isArray(value)) {
      value.forEach((item, index) => {
        walk(inner.element, item, [...path, index]);
      });
      return;
    }
    if (!isMapping(value)) return;
    if (inner instanceof z.ZodRecord) {
      for (const [key, item] of Object.entries(value)) walk(inner.valueType, item, [...path, key]);
    }
    if (!(inner instanceof z.ZodObject)) return;
    const known = Object.keys(inner.shape);
    for (const [key, item] of Object.entries(value)) {
      if (Object.hasOwn(inner.shape, key)) walk(inner.shape[key], item, [...path, key]);
      else found.push({ key, block: path, suggestion: nearest(key, known) });
    }
  };
  walk(schema, document, []);
  return found;
}

/** Where a block is, for a sentence. */
export function blockPhrase(block: KeyPath): string {
  return block.length === 0 ? 'at the top level' : `in ${dottedKey(block)}`;
}

function isMapping(value: JsonValue): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
