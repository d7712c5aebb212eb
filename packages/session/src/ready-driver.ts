import type { DriverInstance, LoadedDriver } from '@murmur/process-driver';

/** A driver whose first instance is already on its way, so that it starts beside other work. */
export interface ReadyDriver extends AsyncDisposable {
  readonly driver: LoadedDriver;
}

/**
 * Starts a driver's instance now and hands it to whoever asks first. An instance that nobody asked for is dropped;
 * a failure to start is told to the one who asks.
 */
export function readyDriver(driver: LoadedDriver): ReadyDriver {
  let first: Promise<DriverInstance> | null = driver.openInstance();
  first.catch(() => {
    // Told where the instance is asked for.
  });
  return {
    driver: {
      ...driver,
      openInstance() {
        const instance = first ?? driver.openInstance();
        first = null;
        return instance;
      },
    },
    async [Symbol.asyncDispose]() {
      const unused = first;
      first = null;
      if (unused === null) return;
      try {
        await (await unused)[Symbol.asyncDispose]();
      } catch {
        // It never stood, so there is nothing to drop.
      }
    },
  };
}
