import type { ComponentNames } from '@murmur/components';
import { PROCESS_INTERFACE } from '@murmur/driver-sdk';

/**
 * What keeps a component from being loaded as a process driver, judged by its imports and exports alone; empty
 * when nothing does. Implements the interface check of `docs/spec/process-driver.md`, and on top of it that
 * nothing but WASI is imported.
 */
export function driverNameProblems(names: ComponentNames): readonly string[] {
  if (names.kind !== 'component') return ['the bytes are not a WebAssembly component'];
  const problems: string[] = [];
  if (!names.exports.includes(PROCESS_INTERFACE)) {
    const others = names.exports.filter((name) => name.startsWith('murmur:driver/'));
    problems.push(
      `it does not export ${PROCESS_INTERFACE}` +
        (others.length > 0 ? `, only ${others.join(', ')}` : ': does the module export `process`?'),
    );
  }
  for (const name of names.imports)
    if (!name.startsWith('wasi:')) problems.push(`it imports ${name}, which no driver is given`);
  return problems;
}
