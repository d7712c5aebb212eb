import { setImmediate } from 'node:timers/promises';

/** Lets other work of the process run now and then during long loops over a hostile tree. */
export function breather(everyCalls: number): () => Promise<void> {
  let calls = 0;
  return async () => {
    calls += 1;
    if (calls % everyCalls === 0) await setImmediate();
  };
}
