import { rehearse } from './host-rehearsal.js';
import type { ContainmentOptions, HostProbe } from './types.js';
import { locateWarden } from './warden-location.js';

/** Mechanisms by class, as reports name them. */
const TIERS = {
  sealed: 'mountns+pivot_root+landlock+seccomp',
  scoped: 'landlock+seccomp',
} as const;

/**
 * Finds out what this host can back, by running a program the way every other will be run: at `sealed`, else at
 * `scoped`, else at `advisory`. No version is looked at and nothing is remembered.
 *
 * Implements `docs/spec/containment.md` ("Probe").
 * @throws MurmurError `Runtime` (E-IO-003) when the warden is missing or cannot run a program here
 */
export async function probe(options: ContainmentOptions = {}): Promise<HostProbe> {
  const wardenPath = process.platform === 'linux' ? locateWarden(options) : null;
  const { platform } = process;
  let next: HostProbe['blocker'] = null;
  let shortfall: string | null = null;
  for (const achievable of ['sealed', 'scoped'] as const) {
    const tried = await rehearse(achievable, wardenPath);
    if (tried.shortfall === null)
      return {
        platform,
        achievable,
        enforcementTier: TIERS[achievable],
        layers: tried.layers,
        shortfall,
        blocker: next,
      };
    shortfall = tried.shortfall.reason;
    const { blocker, step, errno } = tried.shortfall;
    next = { name: blocker, step, errno };
    if (wardenPath === null) break;
  }
  const { layers } = wardenPath === null ? { layers: [] } : await rehearse('advisory', wardenPath);
  return { platform, achievable: 'advisory', enforcementTier: 'none', layers, shortfall, blocker: next };
}
