import { type Beneath, openBeneath } from '@murmur/beneath';
import { isMurmurError } from '@murmur/errors';

/**
 * Where a store lies: a directory of the operator's (`base`), and directories below it one inside the other.
 * What lies below may be written by others, so it is never reached through a link.
 */
export interface StorePlace {
  readonly base: string;
  readonly below: readonly { readonly path: string; readonly mode: number }[];
}

/** Opens the store's directory; null when it does not exist. The caller disposes of it. */
export async function openPlace(place: StorePlace): Promise<Beneath | null> {
  const base = await orNullWhenMissing(openBeneath(place.base));
  if (base === null) return null;
  await using opened = base;
  return await orNullWhenMissing(opened.open(place.below.at(-1)?.path ?? '.'));
}

/** As {@link openPlace}, making what is missing. */
export async function createPlace(place: StorePlace): Promise<Beneath> {
  await using base = await openBeneath(place.base, { create: true });
  for (const { path, mode } of place.below) await base.makeDirectory(path, { mode, parents: true });
  return await base.open(place.below.at(-1)?.path ?? '.');
}

/** Null for `E-IO-001`; every other failure stays one. */
export async function orNullWhenMissing<T>(pending: Promise<T>): Promise<T | null> {
  try {
    return await pending;
  } catch (error) {
    if (isMurmurError(error) && error.diagnostic.code === 'E-IO-001') return null;
    throw error;
  }
}
