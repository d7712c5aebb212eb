import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ComponentRuntime, createComponentRuntime } from '@murmur/components';
import { openJail } from '@murmur/containment';

/** A component runtime whose cache and jails belong to the bench. */
export function benchComponents(scratch: string): ComponentRuntime {
  return createComponentRuntime({
    cacheDirectory: join(scratch, 'components'),
    openJail: (label) => openJail({ class: 'advisory', label }),
  });
}

/** The built mini driver's component. */
export function miniComponent(root: string): Promise<Uint8Array> {
  return readFile(join(root, 'tools/mini-harness/dist/component.wasm'));
}
