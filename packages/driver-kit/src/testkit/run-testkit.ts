import { type FoundDriver, findDriver } from '../find-driver.js';
import { testComponentDriver } from './component-driver.js';
import type { PropertyId } from './finding.js';
import { runProperties, type TestkitReport } from './run-properties.js';
import { readCases } from './transcript/read-case.js';

export interface TestkitOptions {
  /** A built driver: a component, a `.mur.zip`, or a driver's directory with one of them in `dist`. */
  readonly driver: string;
  /** Directory of recordings, one directory each. */
  readonly transcripts: string;
  /** Same seed and runs: same inputs. */
  readonly seed: number;
  /** Generated inputs per property. */
  readonly runs: number;
  /** How long a call on a recording may take, milliseconds; default 1000. */
  readonly callLimitMs?: number;
  readonly only?: readonly (PropertyId | 'goldens')[];
  readonly progress?: (name: string) => void;
  /** As in `checkDriver`. */
  readonly isNetworkEntry?: (entry: string) => string | null;
  readonly guestEntry?: string;
  readonly transpileEntry?: string;
}

/**
 * Judges a built driver in guest processes: loads it as the runtime does, tries P1 to P17 on the recordings and on
 * seeded changes of them, and compares with the goldens. Implements `docs/spec/driver-testkit.md`.
 *
 * @throws Error for recordings that cannot be read or a driver that is not built; MurmurError what `checkDriver` throws
 * for one that does not load
 */
export async function runTestkit(options: TestkitOptions): Promise<TestkitReport> {
  const { driver: path, transcripts, seed, runs, callLimitMs, only, progress, ...check } = options;
  // First what fails fast.
  const cases = await readCases(transcripts);
  const found: FoundDriver = await findDriver(path);
  const driver = await testComponentDriver({
    bytes: found.bytes,
    name: found.name,
    version: found.version,
    ...(check.isNetworkEntry === undefined ? {} : { isNetworkEntry: check.isNetworkEntry }),
    ...(check.guestEntry === undefined ? {} : { guestEntry: check.guestEntry }),
    ...(check.transpileEntry === undefined ? {} : { transpileEntry: check.transpileEntry }),
  });
  try {
    return await runProperties({
      name: `${found.name}@${found.version}`,
      driver,
      cases,
      seed,
      runs,
      ...(callLimitMs === undefined ? {} : { callLimitMs }),
      ...(only === undefined ? {} : { only }),
      ...(progress === undefined ? {} : { progress }),
    });
  } finally {
    await driver[Symbol.asyncDispose]();
  }
}
