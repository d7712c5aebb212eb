import path from 'node:path';
import {
  findDriver,
  type PropertyId,
  readCases,
  reportText,
  runTestkit,
  testComponentDriver,
  withGoldens,
  writeCase,
} from '@murmur/driver-kit/testkit';
import { networkEntryProblem } from '@murmur/policy';
import { childPrograms } from '../child-programs.js';
import type { Host } from '../host.js';
import { linesOf } from '../terminal/lines.js';
import { startProgress } from '../terminal/progress.js';
import { reportingFailure } from './reporting-failure.js';

export interface DriverTestFlags {
  readonly transcripts?: string;
  readonly seed: number;
  readonly runs: number;
  readonly only?: readonly string[];
  readonly writeGoldens?: boolean;
  readonly json?: boolean;
}

/** `mur driver test`: the report on stdout; 1 when a property is broken. */
export function driverTest(target: string, flags: DriverTestFlags, host: Host): Promise<number> {
  return reportingFailure(async () => {
    const driver = path.resolve(host.cwd, target);
    const transcripts =
      flags.transcripts === undefined
        ? path.join(driver, 'test/transcripts')
        : path.resolve(host.cwd, flags.transcripts);
    if (flags.writeGoldens === true) return writeGoldens(driver, transcripts);
    const progress = startProgress(linesOf(process.stderr));
    const report = await runTestkit({
      driver,
      transcripts,
      seed: flags.seed,
      runs: flags.runs,
      ...(flags.only === undefined ? {} : { only: flags.only as readonly (PropertyId | 'goldens')[] }),
      progress: (name) => progress.show(name),
      isNetworkEntry: networkEntryProblem,
      ...childPrograms(),
    }).finally(() => progress.clear());
    process.stdout.write(`${flags.json === true ? JSON.stringify(report, null, 2) : reportText(report)}\n`);
    return report.passed ? 0 : 1;
  });
}

async function writeGoldens(driver: string, transcripts: string): Promise<number> {
  const cases = await readCases(transcripts);
  const { bytes, name, version } = await findDriver(driver);
  const tested = await testComponentDriver({ bytes, name, version, ...childPrograms() });
  const kept = await withGoldens(tested, cases).finally(() => tested[Symbol.asyncDispose]());
  for (const each of kept) await writeCase(path.join(transcripts, each.name), each);
  process.stdout.write(
    `Wrote plan.json and events.json of ${kept.filter(({ events }) => events !== null).length} recordings below ${transcripts}. Read every one of them: they are right when a person says so.\n`,
  );
  return 0;
}
