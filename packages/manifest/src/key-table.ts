import { z } from 'zod';
import { unwrapped } from './camel-keys.js';
import { capsuleSchema } from './capsule/schema.js';
import { configSchema, configStates } from './config/schema.js';
import { type KeyNote, keyNotes } from './fields.js';
import { type KeyState, type KeyStateName, keyStates } from './served.js';

/** What is known about one key. */
export interface KeyRow {
  /** Dotted path; `[]` stands for the elements of a list, `<name>` for a name of the author's choice. */
  readonly key: string;
  /** What its value must be. */
  readonly kind: string;
  /** `required`, a default as YAML writes it, or `–` for none. */
  readonly default: string;
  /** What it does. */
  readonly note: string;
  /** What this build does with it; `null` for a block whose keys have states of their own. */
  readonly state: KeyStateName | null;
  /** The one value that is served all the same. */
  readonly servedValue: string | null;
  /** Whether leaving the key out asks for something that is not served. */
  readonly asksWhenAbsent: boolean;
}

/** Every key of a capsule manifest, blocks before what they hold. */
export function manifestKeyTable(): readonly KeyRow[] {
  return rows(capsuleSchema, keyStates);
}

/** Every key of a configuration file, blocks before what they hold. */
export function configKeyTable(): readonly KeyRow[] {
  return rows(configSchema, configStates);
}

function rows(root: z.core.$ZodType, states: Readonly<Record<string, KeyState>>): readonly KeyRow[] {
  const table: KeyRow[] = [];
  const visit = (schema: z.core.$ZodType, pattern: string, inherited: KeyState | undefined): void => {
    const inner = unwrapped(schema);
    if (inner instanceof z.ZodArray) visit(inner.element, `${pattern}[]`, inherited);
    if (inner instanceof z.ZodRecord) visit(inner.valueType, `${pattern}.<name>`, inherited);
    if (!(inner instanceof z.ZodObject)) return;
    for (const [name, value] of Object.entries(inner.shape)) {
      const key = pattern === '' ? name : `${pattern}.${name}`;
      const state = states[key] ?? inherited;
      const notes = notesOf(value);
      table.push({
        key,
        kind: notes.kind ?? 'anything',
        default: defaultOf(value),
        note: notes.note ?? '',
        state: state?.state ?? null,
        servedValue: states[key]?.quiet ?? null,
        asksWhenAbsent: states[key]?.whenAbsent === true,
      });
      visit(value, key, state?.whenAbsent === true ? inherited : state);
    }
  };
  visit(root, '', undefined);
  return table;
}

function notesOf(schema: z.core.$ZodType): KeyNote {
  const outer = schema instanceof z.ZodType ? keyNotes.get(schema) : undefined;
  const inner = unwrapped(schema);
  const kind = inner instanceof z.ZodType ? keyNotes.get(inner)?.kind : undefined;
  return { ...(kind === undefined ? {} : { kind }), ...outer };
}

function defaultOf(schema: z.core.$ZodType): string {
  if (schema instanceof z.ZodDefault) return JSON.stringify(schema.def.defaultValue);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodPrefault) return '–';
  return 'required';
}
