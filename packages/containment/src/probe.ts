import { rehearse } from './host-rehearsal.js';
import type { HostProbe, ProbeOptions } from './types.js';
import { locateWarden } from './warden-location.js';

/** Mechanisms by class, as reports name them. */
const TIERS = {
  sealed: 'mountns+pivot_root+landlock+seccomp',
  scoped: 'landlock+seccomp',
} as const;

/** Classes to try, the strongest first. */
const STRONGER = { sealed: ['sealed', 'scoped'], scoped: ['scoped'], advisory: [] } as const;

/**
 * Finds out what this host can back, by running a program the way every other will be run: at `sealed`, else at
 * `scoped`, else at `advisory`. No version is looked at and nothing is remembered.
 *
 * Implements `docs/spec/containment.md` ("Probe").
 * @throws MurmurError `Runtime` (E-IO-003) when the warden is missing or cannot run a program here
 */
export async function probe(options: ProbeOptions = {}): Promise<HostProbe> {
  const wardenPath = process.platform === 'linux' ? locateWarden(options) : null;
  const { platform } = process;
  let next: HostProbe['blocker'] = null;
  let shortfall: string | null = null;
  const asked = STRONGER[options.strongest ?? 'sealed'];
  for (const achievable of asked) {
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
