import type { ComponentRuntime, PreparedComponent } from '@murmur/components';
import { isMurmurError } from '@murmur/errors';
import { readDescription } from './adapter.js';
import type { DriverDescription } from './contract.js';
import { driverCallDeadlineMs, servedInterface } from './limits.js';

/** Under this name a description is kept with its component; another shape of `DriverDescription` needs another. */
const NOTE = 'process-description-1';

/**
 * What a driver says of itself. `describe` has no input, so its answer belongs to the component's bytes: it is asked
 * once, on an instance of its own that holds no grant, and kept with the compiled form.
 */
export async function describeDriver(
  components: ComponentRuntime,
  component: PreparedComponent,
  label: string,
): Promise<DriverDescription> {
  const kept = await components.recall(component, NOTE);
  // Only this function writes the note, and the cache vouches for who wrote it.
  if (kept !== null) return JSON.parse(kept) as DriverDescription;
  await using guest = await components.start(component, { label });
  const answer = await guest.call(servedInterface, 'describe', [], { deadlineMs: driverCallDeadlineMs });
  const description = readDescription(answer);
  await components.remember(component, NOTE, JSON.stringify(description)).catch((error: unknown) => {
    // A full disk costs the next run a moment, and nothing else.
    if (!isMurmurError(error)) throw error;
  });
  return description;
}
