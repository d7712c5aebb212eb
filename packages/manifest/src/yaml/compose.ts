import { Composer, type CST, type Document } from 'yaml';

/** A composed document, or the first thing that is wrong with it and how many things were looked for in all. */
export type Composition =
  | { readonly document: Document.Parsed | undefined }
  | { readonly offset: number; readonly reason: string; readonly collected: number };

const COMPOSER_OPTIONS = {
  version: '1.2',
  schema: 'core',
  // The library's own duplicate check is quadratic in the number of keys.
  uniqueKeys: false,
  stringKeys: true,
  merge: false,
  strict: true,
  prettyErrors: false,
  logLevel: 'error',
} as const;

type Place = number | readonly [number, number] | { readonly offset: number };

const offsetOf = (place: Place): number => {
  if (typeof place === 'number') return place;
  return 'offset' in place ? place.offset : place[0];
};

/**
 * Composes the tokens of one text into a document and stops at the first error or warning. The library would collect
 * them all, an error object with a stack for each: a text of 256 KiB can hold one per character, and then takes many
 * seconds to be refused.
 */
export function composeDocument(tokens: readonly CST.Token[], lengthChars: number): Composition {
  const composer = new Composer(COMPOSER_OPTIONS);
  let first: { readonly offset: number; readonly reason: string } | null = null;
  const complained = new Error('the composer complained');
  const stop = (place: Place, _code: string, reason: string): never => {
    // Kept beside the exception: the library catches it on the way and complains about that in turn.
    first ??= { offset: offsetOf(place), reason };
    throw complained;
  };
  // Not part of the library's surface. Under another name it would go on collecting, which a test would see.
  Reflect.set(composer, 'onError', stop);
  try {
    const [document] = composer.compose(tokens, true, lengthChars);
    const complaints = [...(document?.errors ?? []), ...(document?.warnings ?? [])];
    const [complaint] = complaints;
    if (complaint === undefined) return { document };
    return { offset: complaint.pos[0], reason: complaint.message, collected: complaints.length };
  } catch (error) {
    if (error !== complained || first === null) throw error;
    return { ...(first as { offset: number; reason: string }), collected: 1 };
  }
}
