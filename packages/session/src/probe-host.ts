import { type ContainmentOptions, type HostProbe, probe } from '@murmur/containment';

/**
 * What the host backs for the programs of a run. They all go through jails of the class `advisory` so far, whatever
 * the host could do: a floor above it is refused, never taken for met.
 * @throws MurmurError `Runtime` (E-IO-003) when the containment helper is missing or does not work here
 */
export async function probeHost(options: ContainmentOptions): Promise<HostProbe> {
  const found = await probe({ ...options, strongest: 'advisory' });
  return { ...found, shortfall: found.shortfall ?? SHORTFALL };
}

const SHORTFALL = 'this version of Murmur runs programs in jails of the class advisory only';
