/**
 * The two versions when a manifest was made for a later `mur` than the one that reads it; `null` when it was
 * not, or when either version is not three numbers. Spec: manifest, unknown keys.
 */
export function versionGap(
  wanted: string | undefined,
  served: string | undefined,
): { wanted: string; served: string } | null {
  const later = numbers(wanted);
  const running = numbers(served);
  if (wanted === undefined || served === undefined || later === null || running === null) return null;
  for (let part = 0; part < 3; part += 1) {
    const difference = (later[part] ?? 0n) - (running[part] ?? 0n);
    if (difference !== 0n) return difference > 0n ? { wanted, served } : null;
  }
  return null;
}

function numbers(version: string | undefined): readonly bigint[] | null {
  const match = /^(\d+)\.(\d+)\.(\d+)$/.exec(version ?? '');
  return match === null ? null : match.slice(1).map(BigInt);
}
