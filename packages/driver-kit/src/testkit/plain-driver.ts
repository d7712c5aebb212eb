import type { ProcessExports } from '@murmur/driver-sdk';
import { plainValue } from './plain-value.js';
import { type DriverCall, DriverCallFailed, type TestDriver } from './test-driver.js';

/**
 * Tests a driver in plain JavaScript: fast, and no proof of the component. Without a way to make it anew, state at the
 * top of the module outlives `restart`.
 *
 * @param make makes the exports: called once for every instance
 */
export function testPlainDriver(make: () => ProcessExports): TestDriver {
  let exports: ProcessExports | undefined;
  const call = async <T>(name: DriverCall, run: (driver: ProcessExports) => T): Promise<T> => {
    exports ??= make();
    try {
      return plainValue(run(exports)) as T;
    } catch (error) {
      exports = undefined;
      // The contract has an `err` for launch alone; a component hands a thrown text over as that.
      const refused = name === 'launch' && typeof error === 'string';
      throw new DriverCallFailed(name, refused, error instanceof Error ? error.message : String(error));
    }
  };
  return {
    component: null,
    describe: () => call('describe', (driver) => driver.describe()),
    launch: (request) => call('launch', (driver) => driver.launch(request)),
    parse: (lines) => call('parse', (driver) => driver.parse(lines)),
    classifyExit: (exit) => call('classify-exit', (driver) => driver.classifyExit(exit)),
    readLogin: (output) => call('read-login', (driver) => driver.readLogin(output)),
    async restart() {
      exports = undefined;
    },
    async [Symbol.asyncDispose]() {
      exports = undefined;
    },
  };
}
