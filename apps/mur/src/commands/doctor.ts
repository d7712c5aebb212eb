import { renderError, renderWarning } from '@murmur/errors';
import { diagnoseProject } from '@murmur/session';
import { childPrograms } from '../child-programs.js';
import type { Clock } from '../clock.js';
import type { Host } from '../host.js';
import { doctorText } from '../terminal/doctor.js';
import { linesOf } from '../terminal/lines.js';
import { startProgress } from '../terminal/progress.js';
import { VERSION } from '../version.js';

/** `mur doctor`: the report on stdout, what every run would warn of on stderr. Resolves with the exit code. */
export async function doctorCommand(flags: { json?: boolean }, host: Host, clock: Clock): Promise<number> {
  const out = linesOf(process.stdout);
  const err = linesOf(process.stderr);
  const progress = startProgress(err);
  const report = await diagnoseProject({
    cwd: host.cwd,
    home: host.home,
    env: host.env,
    murVersion: VERSION,
    clock,
    progress: (text) => progress.show(text),
    files: childPrograms(),
  }).finally(() => progress.clear());
  const { manifestPath, platform, rows, summary, warnings, closing } = report;
  if (flags.json === true) {
    out.write(`${JSON.stringify({ manifest: manifestPath, platform, rows, summary }, null, 2)}\n`);
  } else {
    for (const warning of warnings) err.write(`${renderWarning(warning)}\n`);
    out.write(doctorText(report));
    for (const failure of closing) err.write(`${renderError(failure)}\n`);
  }
  return summary.errors === 0 ? 0 : 1;
}
