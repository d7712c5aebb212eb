import { ComponentFailure, type PreparedComponent } from '@murmur/components';
import { MurmurError } from '@murmur/errors';
import { descriptionProblem } from './check-description.js';
import { checkDriverInterface } from './check-interface.js';
import type { DriverDescription } from './contract.js';
import { describeDriver } from './describe-driver.js';
import { callProblem, createDriverInstance } from './driver-instance.js';
import type { LoadDriverOptions, LoadedDriver } from './types.js';

/**
 * Checks a driver's bytes and asks the driver what it drives: exported interface, imports, `describe()` on an instance
 * of its own that holds no grant, and every field of the answer. Implements "Loading a driver" of
 * `docs/spec/process-driver.md`.
 *
 * @throws MurmurError `ProcessDriverInterfaceMissing` (E-RUN-029), `ProcessDriverLoad` (E-RUN-032)
 */
export async function loadProcessDriver(options: LoadDriverOptions): Promise<LoadedDriver> {
  const { name, version, bytes, components } = options;
  checkDriverInterface(name, version, components.readNames(bytes));

  const refuse = (message: string, cause?: unknown): never => {
    throw new MurmurError({ variant: 'ProcessDriverLoad', name, version, message }, { cause });
  };
  const start = (component: PreparedComponent) => components.start(component, { label: name });

  let component: PreparedComponent;
  let description: DriverDescription;
  try {
    component = await components.prepare(bytes, { allowImports: mayImport });
    description = await describeDriver(components, component, name);
  } catch (error) {
    const message = callProblem(error);
    if (message === null) throw error;
    return refuse(message, error);
  }
  const problem = descriptionProblem(description, options.isNetworkEntry ?? (() => null));
  if (problem !== null) return refuse(problem);

  return {
    name,
    version,
    description,
    async openInstance() {
      try {
        return createDriverInstance(name, version, await start(component));
      } catch (error) {
        if (!(error instanceof ComponentFailure)) throw error;
        throw new MurmurError(
          { variant: 'ProcessDriverCallFailed', name, version, call: 'launch', message: error.detail },
          { cause: error },
        );
      }
    },
  };
}

/** Whether a process driver may import an instance: WASI, which is linked to a host with nothing behind it. */
export function mayImport(name: string): boolean {
  return name.startsWith('wasi:');
}
