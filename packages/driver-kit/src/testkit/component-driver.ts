import { createHash } from 'node:crypto';
import { ComponentFailure, type Guest, GuestRefusal } from '@murmur/components';
import { PROCESS_INTERFACE } from '@murmur/driver-sdk';
import { type CheckDriverOptions, prepareDriver } from '../prepare-driver.js';
import { plainValue } from './plain-value.js';
import { type DriverCall, DriverCallFailed, type TestDriver } from './test-driver.js';

/** Each call has this much wall-clock time of its own, as in the runtime. */
const CALL_DEADLINE_MS = 30_000;

/**
 * Tests a built driver in guest processes, as the runtime runs it, after the checks that the runtime makes.
 *
 * @throws MurmurError what `checkDriver` throws
 */
export async function testComponentDriver(options: CheckDriverOptions): Promise<TestDriver> {
  const { loaded, runtime, component, bytes, dispose } = await prepareDriver(options);
  let guest: Guest | undefined;

  const drop = async (): Promise<void> => {
    const old = guest;
    guest = undefined;
    await old?.[Symbol.asyncDispose]();
  };
  const call = async <T>(name: DriverCall, func: string, args: readonly unknown[]): Promise<T> => {
    try {
      guest ??= await runtime.start(component, { label: loaded.name });
      return plainValue(
        await guest.call(PROCESS_INTERFACE, func, args, { deadlineMs: CALL_DEADLINE_MS }),
      ) as T;
    } catch (error) {
      if (error instanceof GuestRefusal) {
        // An exception out of an export that has no `err` loses the instance in the runtime, too.
        if (name !== 'launch') await drop();
        throw new DriverCallFailed(name, name === 'launch', String(error.payload ?? 'without a reason'));
      }
      if (!(error instanceof ComponentFailure)) throw error;
      await drop();
      throw new DriverCallFailed(name, false, error.detail);
    }
  };
  return {
    component: {
      imports: component.names.imports,
      exports: component.names.exports,
      sizeBytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    },
    describe: () => call('describe', 'describe', []),
    launch: (request) => call('launch', 'launch', [request]),
    parse: (lines) => call('parse', 'parse', [[...lines]]),
    classifyExit: (exit) => call('classify-exit', 'classifyExit', [exit]),
    readLogin: (output) => call('read-login', 'readLogin', [output]),
    restart: drop,
    async [Symbol.asyncDispose]() {
      await drop();
      await dispose();
    },
  };
}
