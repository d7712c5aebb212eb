import path from 'node:path';
import { checkDriver, findDriver } from '@murmur/driver-kit/testkit';
import { networkEntryProblem } from '@murmur/policy';
import { childPrograms } from '../child-programs.js';
import type { Host } from '../host.js';
import { reportingFailure } from './reporting-failure.js';

/** `mur driver check`: loads a driver as before a run and prints what it says of itself. */
export function driverCheck(target: string, flags: { json?: boolean }, host: Host): Promise<number> {
  return reportingFailure(async () => {
    const { bytes, name, version, path: file } = await findDriver(path.resolve(host.cwd, target));
    const driver = await checkDriver({
      bytes,
      name,
      version,
      isNetworkEntry: networkEntryProblem,
      ...childPrograms(),
    });
    const { description, imports, exports, sizeBytes } = driver;
    await driver[Symbol.asyncDispose]();
    if (flags.json === true) {
      const document = { file, name, version, size_bytes: sizeBytes, imports, exports, description };
      process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
      return 0;
    }
    const { harnessNeeds, loginCheck } = description;
    const rows: readonly (readonly [string, string])[] = [
      ['driver', `${name}@${version}`],
      ['file', file],
      ['size', `${sizeBytes} bytes`],
      ['exports', exports.join(', ')],
      ['imports', imports.join(', ') || 'nothing'],
      ['harness', description.harness],
      ['binary', [description.binary, ...description.versionArgs].join(' ')],
      ['tested with', description.testedVersions.join(', ') || 'no version'],
      ['interrupt', description.interrupt],
      ['streams text', description.streamsText ? 'yes' : 'no'],
      ['reports usage', description.reportsUsage ? 'yes' : 'no'],
      ['login check', loginCheck.tag === 'command' ? loginCheck.args.join(' ') : loginCheck.reason],
      ['variables', description.requiredEnv.join(', ') || 'none'],
      ['paths', harnessNeeds.paths.map((need) => `${need.path} (${need.access})`).join(', ') || 'none'],
      ['hosts', harnessNeeds.hosts.join(', ') || 'none'],
    ];
    const lines = rows.map(([label, value]) => `${label.padEnd(14)} ${value.replace(/\p{Cc}/gu, '\ufffd')}`);
    process.stdout.write(`${lines.join('\n')}\nThe driver loads.\n`);
    return 0;
  });
}
