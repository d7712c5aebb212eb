import { isMurmurError, renderError } from '@murmur/errors';
import type { Outcome } from './generator.js';

/** Something that no input may bring about; the message says what. */
export class Fault extends Error {
  override readonly name = 'Fault';
}

/** Longest text that a refusal may show, characters: the bounds of message and remedy. Beyond it the input talks. */
const MAX_SHOWN_CHARS = 25_000;

const forbiddenText: readonly (readonly [RegExp, string])[] = [
  [/\n\s+at \S.*[:(]\d+/, 'a stack trace'],
  // Tab and newline are layout; everything else of the two control ranges steers a terminal.
  [/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/, 'a control character'],
  [/\[object Object\]|\bundefined\b(?= \(|$)/, 'a value that was never put into words'],
];

/** What is wrong with a text for people, or null. */
export function shownTextProblem(text: string): string | null {
  if (text.length > MAX_SHOWN_CHARS) return `a text of ${text.length} characters is shown`;
  const found = forbiddenText.find(([pattern]) => pattern.test(text));
  return found === undefined ? null : `${found[1]} is shown: ${JSON.stringify(text.slice(0, 400))}`;
}

/** The code of a refusal, its text checked. @throws the error itself when it is no refusal; Fault for its text */
export function refusalCode(error: unknown): Outcome {
  if (!isMurmurError(error)) throw error;
  const problem = shownTextProblem(renderError(error.diagnostic));
  if (problem !== null) throw new Fault(`${error.code}: ${problem}`, { cause: error });
  return error.code;
}

/** The outcome of an action that either returns one or refuses. */
export async function outcomeOf(action: () => Promise<Outcome> | Outcome): Promise<Outcome> {
  try {
    return await action();
  } catch (error) {
    return refusalCode(error);
  }
}

/** @throws Fault when an input reached the prototype that every object shares */
export function refuseSharedKeys(): void {
  const keys = Reflect.ownKeys(Object.prototype).length;
  if (keys !== sharedKeys) throw new Fault('an input added a key to Object.prototype');
}
const sharedKeys = Reflect.ownKeys(Object.prototype).length;
