import type { HostProbe } from '@murmur/containment';
import type { WarningCondition } from '@murmur/errors';
import { type ResolveGrantsOptions, requireFloor, resolveGrants } from '@murmur/policy';
import { attempt, conditionRow } from './rows.js';
import type { DoctorRow } from './types.js';

/** What this host can back, and why nothing stronger. */
export function examineHost(probe: HostProbe): readonly DoctorRow[] {
  const base = { block: 'containment', status: 'info' } as const;
  return [
    { ...base, name: 'class', message: `${probe.achievable} (mechanism: ${probe.enforcementTier})` },
    ...(probe.shortfall === null ? [] : [{ ...base, name: 'stronger', message: probe.shortfall }]),
  ];
}

/** Resolves the grants as a launch does. What it would be refused for is foretold, with the floor beside the rest. */
export async function examineGrants(
  options: Omit<ResolveGrantsOptions, 'reportUnmetFloor'>,
): Promise<{ readonly rows: readonly DoctorRow[]; readonly warnings: readonly WarningCondition[] }> {
  const rows: DoctorRow[] = [];
  const foretell = (refusal: Parameters<typeof conditionRow>[3]): void => {
    rows.push(conditionRow('refusals', 'capabilities', 'warning', refusal));
  };
  const resolved = await attempt(() => resolveGrants({ ...options, reportUnmetFloor: true }), foretell);
  if (resolved === null) return { rows, warnings: [] };
  const { containment } = resolved.grants;
  await attempt(() => requireFloor(containment), foretell);
  rows.push({
    block: 'containment',
    name: 'floor',
    status: containment.floorMet ? 'ok' : 'info',
    message: `declared ${containment.declared}, achieved ${containment.achieved}`,
  });
  return { rows, warnings: resolved.warnings };
}
