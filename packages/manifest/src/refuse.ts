import { MurmurError } from '@murmur/errors';
import type { z } from 'zod';
import { dottedKey, type KeyPath } from './key-path.js';
import { nearestPosition } from './key-uses.js';
import type { JsonValue, Positions } from './types.js';
import type { TextProblem } from './yaml/problem.js';

/** A manifest in the making: what is needed to say where something is wrong. */
export interface SourceText {
  /** Name of the file, as messages show it. */
  readonly file: string;
  readonly document: JsonValue;
  readonly positions: Positions;
}

const LONGEST_QUOTE = 80;
const SECRET_KEY = /api_?key|token|secret|password|credential/i;

/** The refusal `E-MAN-003` for one key. */
export function keyRefusal(
  source: SourceText,
  path: KeyPath,
  problem: string,
  remedy: string | null = null,
): MurmurError {
  const value = valueAt(source.document, path);
  return new MurmurError({
    variant: null,
    code: 'E-MAN-003',
    file: source.file,
    ...valuePosition(source.positions, path),
    key: path.length === 0 ? 'the file' : dottedKey(path),
    value: quotable(path, value),
    problem,
    remedy: remedy ?? generalRemedy(problem, value),
  });
}

/** The refusal for a text that could not be read: `E-MAN-003` when a key is at fault, else `E-MAN-002`. */
export function textRefusal(file: string, problem: TextProblem): MurmurError {
  const { line, column, reason } = problem;
  if (problem.path === null) {
    return new MurmurError({ variant: null, code: 'E-MAN-002', file, line, column, reason });
  }
  const key = dottedKey(problem.path);
  const found = { file, line, column, key, value: null, problem: reason, remedy: null };
  return new MurmurError({ variant: null, code: 'E-MAN-003', ...found });
}

/** The refusal for the first thing a schema found. */
export function issueRefusal(source: SourceText, error: z.ZodError): MurmurError {
  const issue = error.issues[0];
  if (issue === undefined) throw new Error('a schema refused a document without saying why');
  return keyRefusal(source, issue.path.filter(isStep), issue.message);
}

/** The value at a path of a document, `undefined` where there is none. */
export function valueAt(document: JsonValue, path: KeyPath): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as { readonly [key: string | number]: JsonValue })[step];
  }
  return value;
}

function isStep(step: PropertyKey): step is string | number {
  return typeof step !== 'symbol';
}

/** The place of a value, or of the nearest mapping that lacks it. */
function valuePosition(positions: Positions, path: KeyPath): { line: number; column: number } {
  return positions.get(dottedKey(path))?.value ?? nearestPosition(positions, path);
}

/** A value as a message may show it: no secret, nothing long, nothing but a scalar. */
function quotable(path: KeyPath, value: JsonValue | undefined): string | null {
  if (value === undefined || value === null || typeof value === 'object') return null;
  if (typeof value !== 'string') return String(value);
  const secret = path.some((step) => typeof step === 'string' && SECRET_KEY.test(step));
  // An address with a password in it must not reach a log through the message that refuses it.
  if (secret || /:\/\/[^/]*@/.test(value)) return null;
  return value.length > LONGEST_QUOTE ? `${value.slice(0, LONGEST_QUOTE)}…` : value;
}

function generalRemedy(problem: string, value: JsonValue | undefined): string | null {
  const isBareWord = typeof value === 'number' || typeof value === 'boolean';
  return isBareWord && /must be (text|a version|an artifact name)/.test(problem)
    ? 'write it in quotes'
    : null;
}
