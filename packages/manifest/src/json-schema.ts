import { z } from 'zod';
import { capsuleSchema } from './capsule/schema.js';
import { blockNames, keyNotes } from './fields.js';
import type { JsonValue } from './types.js';

/**
 * The JSON Schema of `murmur.yaml`, for editors: made from the schema that the reader uses, with each key's note as its
 * description. It says what can be said of one key; rules between keys are the reader's alone. Stricter in one thing:
 * a key that the reader only warns about is an error here, so that an editor marks it.
 */
export function capsuleJsonSchema(): object {
  const schema = z.toJSONSchema(capsuleSchema, {
    io: 'input',
    target: 'draft-2020-12',
    unrepresentable: 'throw',
    metadata: blockNames,
    override({ zodSchema, jsonSchema }) {
      const { note, json } = (zodSchema instanceof z.ZodType ? keyNotes.get(zodSchema) : undefined) ?? {};
      Object.assign(jsonSchema, json);
      if (note !== undefined) jsonSchema.description = note;
      // Left out by zod for values that are converted; `{}` for a block would only say that it may be absent.
      if (zodSchema instanceof z.ZodDefault) jsonSchema.default = zodSchema.def.defaultValue as JsonValue;
      if (zodSchema instanceof z.ZodPrefault) delete jsonSchema.default;
      if (zodSchema instanceof z.ZodObject) jsonSchema.additionalProperties = false;
    },
  });
  return {
    ...schema,
    title: 'murmur.yaml',
    description: 'A capsule: what it runs and everything it may reach.',
  };
}
