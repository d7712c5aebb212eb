import type { ComponentNames } from '@murmur/components';
import { MurmurError } from '@murmur/errors';
import { processInterfacePrefix, servedInterface } from './limits.js';

/**
 * Accepts a component only if exactly the served interface is among its exports; what else it exports does not matter.
 * A core module and unreadable bytes count as exporting nothing.
 *
 * @throws MurmurError `ProcessDriverInterfaceMissing` (E-RUN-029)
 */
export function checkDriverInterface(name: string, version: string, names: ComponentNames): void {
  const exports = names.kind === 'component' ? names.exports : [];
  if (exports.includes(servedInterface)) return;
  throw new MurmurError({
    variant: 'ProcessDriverInterfaceMissing',
    name,
    version,
    expected: servedInterface,
    found: exports.filter((candidate) => candidate.startsWith(processInterfacePrefix)),
  });
}
