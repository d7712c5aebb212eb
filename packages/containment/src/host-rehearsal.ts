import { runContained } from './contained-process.js';
import { planJail } from './jail-plan.js';
import { describeShortfall, type Shortfall } from './shortfall.js';
import { toLaunchSpec } from './spawn-request.js';

/** What came of a rehearsal: the layers that held, or why they did not. */
export interface Rehearsal {
  readonly layers: readonly string[];
  readonly shortfall: Shortfall | null;
}

/**
 * Runs the warden's own binary in a jail of this class: the whole launch path, with a program that is there for
 * certain. Nothing is kept from one rehearsal to the next, since a host changes.
 * @param wardenPath null where there is no warden
 */
export async function rehearse(
  jailClass: 'advisory' | 'scoped' | 'sealed',
  wardenPath: string | null,
): Promise<Rehearsal> {
  if (wardenPath === null) return { layers: [], shortfall: describeShortfall({ kind: 'platform' }) };
  const launch = toLaunchSpec({
    program: wardenPath,
    args: ['--version'],
    env: {},
    cwd: '/',
    stdin: 'null',
    stdout: 'null',
    stderr: 'null',
  });
  const jail = jailClass === 'advisory' ? undefined : planJail(jailClass, { executables: [wardenPath] });
  try {
    const contained = runContained('probe', wardenPath, {
      ...launch,
      ...(jail === undefined ? {} : { jail }),
    });
    const { exited } = await contained.started;
    const { code, layers } = await exited;
    if (code !== 0) throw new Error(`the containment helper's rehearsal ended with code ${code}`);
    return { layers, shortfall: null };
  } catch (error) {
    const shortfall = jail === undefined ? null : describeShortfall({ kind: 'step', error });
    if (shortfall === null) throw error;
    return { layers: [], shortfall };
  }
}
