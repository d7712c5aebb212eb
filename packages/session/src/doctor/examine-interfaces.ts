import type { StoredArtifact } from '@murmur/artifacts';
import { diagnose } from '@murmur/errors';
import type { ArtifactEntry } from '@murmur/manifest';
import { processInterfacePrefix, servedInterface } from '@murmur/process-driver';
import { conditionRow, warningRow } from './rows.js';
import type { DoctorRow } from './types.js';

/** Installed artifacts that speak another version of an interface than the one served. */
export function examineInterfaces(
  installed: readonly StoredArtifact[],
  declared: readonly ArtifactEntry[],
): readonly DoctorRow[] {
  const rows: DoctorRow[] = [];
  for (const { name, version, witContracts } of installed) {
    const spoken = (witContracts?.exports ?? []).filter((name) => name.startsWith(processInterfacePrefix));
    const [first] = spoken;
    if (first === undefined || spoken.includes(servedInterface)) continue;
    const label = `${name}@${version}`;
    rows.push(
      declared.some((entry) => entry.name === name && entry.version === version)
        ? conditionRow(
            'interfaces',
            label,
            'error',
            diagnose({
              variant: 'ProcessDriverInterfaceMissing',
              name,
              version,
              expected: servedInterface,
              found: spoken,
            }),
          )
        : warningRow('interfaces', label, {
            code: 'W-REG-003',
            name,
            version,
            interface: first,
            served: servedInterface,
          }),
    );
  }
  return rows;
}
