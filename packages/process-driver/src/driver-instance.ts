import { ComponentFailure, type Guest, GuestRefusal } from '@murmur/components';
import { MurmurError } from '@murmur/errors';
import { exitStatusValue, launchRequestValue, readLaunchPlan, readLoginState } from './adapter.js';
import { readEvent, readEvents } from './adapter-events.js';
import type { DriverInstance } from './contract.js';
import { driverCallDeadlineMs, servedInterface } from './limits.js';
import { ShapeError } from './raw-values.js';

/** What a failed call says to a person; null for a fault of our own, which is not the driver's to answer for. */
export function callProblem(error: unknown): string | null {
  if (error instanceof GuestRefusal)
    return typeof error.payload === 'string' ? error.payload : 'it refused without a reason';
  if (error instanceof ComponentFailure) return error.detail;
  if (error instanceof ShapeError) return error.message;
  // What is asked of a driver can be too large to hand over; that is no fault in the program.
  if (error instanceof RangeError) return error.message;
  return null;
}

/** Wraps a guest as the driver of one run. */
export function createDriverInstance(name: string, version: string, guest: Guest): DriverInstance {
  async function call<T>(
    call: 'launch' | 'parse' | 'classify-exit',
    func: string,
    args: readonly unknown[],
    read: (value: unknown) => T,
  ): Promise<T> {
    try {
      return read(await guest.call(servedInterface, func, args, { deadlineMs: driverCallDeadlineMs }));
    } catch (error) {
      const message = callProblem(error);
      if (message === null) throw error;
      throw new MurmurError(
        { variant: 'ProcessDriverCallFailed', name, version, call, message },
        { cause: error },
      );
    }
  }
  return {
    launch: (request) => call('launch', 'launch', [launchRequestValue(request)], readLaunchPlan),
    parse: (lines) => call('parse', 'parse', [lines], readEvents),
    classifyExit: (exit) => call('classify-exit', 'classifyExit', [exitStatusValue(exit)], readEvent),
    async readLogin(output) {
      try {
        const value = {
          exitCode: output.exitCode ?? undefined,
          stdout: output.stdout,
          stderr: output.stderr,
        };
        return readLoginState(
          await guest.call(servedInterface, 'readLogin', [value], { deadlineMs: driverCallDeadlineMs }),
        );
      } catch (error) {
        const reason = callProblem(error);
        if (reason === null) throw error;
        return { tag: 'unknown', reason };
      }
    },
    [Symbol.asyncDispose]: () => guest[Symbol.asyncDispose](),
  };
}
