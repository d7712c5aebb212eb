import { z } from 'zod';
import { unwrapped } from './camel-keys.js';
import { dottedKey, type KeyPath } from './key-path.js';
import type { KeyState } from './served.js';
import type { JsonValue, KeyUse, Position, Positions } from './types.js';

/** The keys of a document that this build does not serve, and those it does not enforce. */
export interface KeyUses {
  readonly unserved: readonly KeyUse[];
  readonly unenforced: readonly KeyUse[];
}

export interface DocumentReading {
  readonly schema: z.core.$ZodType;
  readonly states: Readonly<Record<string, KeyState>>;
  /** As written. */
  readonly document: JsonValue;
  /** As the schema leaves it. */
  readonly parsed: unknown;
  readonly positions: Positions;
}

/** Finds every key of a document whose state makes a launch refuse or warn, in the order of the schema. */
export function keyUses(reading: DocumentReading): KeyUses {
  const unserved: KeyUse[] = [];
  const unenforced: KeyUse[] = [];

  const note = (state: KeyState, path: KeyPath): void => {
    const use = { key: dottedKey(path), ...nearestPosition(reading.positions, path) };
    if (state.state === 'not enforced') unenforced.push(use);
    else if (state.state !== 'no effect') unserved.push(use);
  };

  const walk = (wrapped: z.core.$ZodType, at: Visit): void => {
    const schema = unwrapped(wrapped);
    if (schema instanceof z.ZodArray) {
      elements(at.written).forEach((written, index) => {
        const parsed = elements(at.parsed)[index];
        walk(schema.element, { written, parsed, path: [...at.path, index], pattern: `${at.pattern}[]` });
      });
    }
    if (!(schema instanceof z.ZodObject)) return;
    for (const [key, inner] of Object.entries(schema.shape)) {
      const pattern = at.pattern === '' ? key : `${at.pattern}.${key}`;
      const path = [...at.path, key];
      const state = reading.states[pattern];
      if (!Object.hasOwn(members(at.written), key)) {
        if (state?.whenAbsent === true) note(state, path);
        continue;
      }
      const parsed = members(at.parsed)[key];
      if (state === undefined || (state.state === 'served' && state.whenAbsent === true)) {
        walk(inner, { written: members(at.written)[key], parsed, path, pattern });
      } else if (state.state !== 'served' && (state.asks === undefined || state.asks(parsed))) {
        note(state, path);
      }
    }
  };

  walk(reading.schema, { written: reading.document, parsed: reading.parsed, path: [], pattern: '' });
  return { unserved, unenforced };
}

/** Where a key stands, or the nearest mapping that would hold it. */
export function nearestPosition(positions: Positions, path: KeyPath): Position {
  for (let length = path.length; length > 0; length -= 1) {
    const found = positions.get(dottedKey(path.slice(0, length)));
    if (found !== undefined) return found.key;
  }
  return { line: 1, column: 1 };
}

interface Visit {
  readonly written: unknown;
  readonly parsed: unknown;
  readonly path: KeyPath;
  readonly pattern: string;
}

function elements(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function members(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
