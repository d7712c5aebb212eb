import { ComponentFailure, type ComponentRuntime, type Guest, GuestRefusal } from '@murmur/components';

/** Answers a call into a driver, in jco's JavaScript shapes. Text that is thrown is the `err` of the call. */
export type Answer = (func: string, args: readonly unknown[]) => unknown;

const names = { kind: 'component', imports: [], exports: ['murmur:driver/process@0.6.0'] } as const;
const limits = { memoryBytes: 65_536, tableElements: 1, instances: 1 };

/** A component runtime without components: calls are answered in this process. */
export function plainComponents(answer: Answer): ComponentRuntime {
  const guest = (): Guest => ({
    pid: 1,
    async call(_instance, func, args) {
      try {
        return answer(func, args);
      } catch (error) {
        if (typeof error === 'string') throw new GuestRefusal(error);
        throw new ComponentFailure('trap', error instanceof Error ? error.message : String(error), {
          cause: error,
        });
      }
    },
    kill: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  });
  const runtime = {
    readNames: () => names,
    prepare: async () => ({ sha256: '0'.repeat(64), names, directory: '/nowhere', fromCache: true, limits }),
    start: async () => guest(),
    recall: async () => null,
    remember: async () => undefined,
  };
  return runtime;
}
