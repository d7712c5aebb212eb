import { z } from 'zod';
import type { JsonObject } from './types.js';

type Camel<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : S;

/** The type of a record with its YAML names in camel case. Free-form JSON keeps its names. */
export type CamelKeys<T> = unknown extends T
  ? T
  : T extends { readonly json: JsonObject }
    ? JsonObject
    : T extends readonly (infer E)[]
      ? readonly CamelKeys<E>[]
      : T extends object
        ? { readonly [K in keyof T as K extends string ? Camel<K> : never]: CamelKeys<T[K]> }
        : T;

/** Renames the keys of a parsed value as its schema names them; names that an author chose stay. */
export function camelKeys<S extends z.ZodType>(schema: S, value: z.output<S>): CamelKeys<z.output<S>> {
  return rename(schema, value) as CamelKeys<z.output<S>>;
}

function rename(schema: z.core.$ZodType, value: unknown): unknown {
  const inner = unwrapped(schema);
  if (value === undefined || value === null) return value;
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item) => rename(inner.element, item));
  }
  if (inner instanceof z.ZodRecord) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, rename(inner.valueType, item)]),
    );
  }
  if (inner instanceof z.ZodObject) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [camel(key), rename(inner.shape[key], item)]),
    );
  }
  return isFreeForm(value) ? value.json : value;
}

/** A schema without what only says whether the value may be absent. */
export function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return unwrapped(schema.def.innerType);
  }
  return schema;
}

function isFreeForm(value: unknown): value is { json: JsonObject } {
  return typeof value === 'object' && value !== null && 'json' in value;
}

function camel(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
