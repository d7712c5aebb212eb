import { diagnose, renderError, renderWarning } from '@murmur/errors';
import { type RunFlags, type RunResult, runCapsule } from '@murmur/session';
import { childPrograms } from '../child-programs.js';
import type { Clock } from '../clock.js';
import { failureText } from '../failure.js';
import type { Host } from '../host.js';
import { answerPrinter } from '../terminal/answer.js';
import { linesOf } from '../terminal/lines.js';
import { startProgress } from '../terminal/progress.js';
import { VERSION } from '../version.js';
import { watchSignals } from './signals.js';

/** The flags of `mur run` as the parser hands them over. */
export interface RunCommandFlags extends RunFlags {
  readonly manifest: string;
  readonly json?: boolean;
  readonly verbose?: boolean;
}

/** `mur run`: the answer on stdout, everything else on stderr. Resolves with the exit code. */
export async function runCommand(flags: RunCommandFlags, host: Host, clock: Clock): Promise<number> {
  const out = linesOf(process.stdout);
  const err = linesOf(process.stderr);
  const progress = startProgress(err);
  const say = (text: string): void => {
    progress.clear();
    err.write(`${text}\n`);
  };
  const print = (value: unknown): void => out.write(`${JSON.stringify(value)}\n`);
  const answer = answerPrinter(out, () => progress.clear());
  const signals = watchSignals(process, say);
  const { manifest, json, verbose, ...runFlags } = flags;
  let result: RunResult;
  try {
    result = await runCapsule({
      manifestPath: manifest,
      cwd: host.cwd,
      home: host.home,
      env: host.env,
      murVersion: VERSION,
      flags: runFlags,
      clock,
      cancel: signals.cancel,
      kill: signals.kill,
      files: childPrograms(),
      observer: {
        progress: (text) => progress.show(text),
        warning: (warning) => say(renderWarning(warning)),
        ready(session) {
          if (json === true) {
            print({
              name: session.name,
              pid: session.pid,
              session_id: session.sessionId,
              url: session.url,
              version: session.version,
              workdir: session.workdir,
            });
            return;
          }
          say(`session: ${session.sessionId}`);
          if (verbose === true) {
            say(`workdir: ${session.workdir}`);
            say(`manifest: ${session.name} v${session.version}`);
            say(`driver: ${session.driver}${session.model === null ? '' : ` (${session.model})`}`);
          }
        },
        record(line) {
          if (json === true) print(line);
        },
        frame(frame) {
          if (json === true) print({ event_type: 'stream', frame: frame.kind, data: frame.data });
          else answer.frame(frame);
        },
      },
    });
  } catch (error) {
    progress.clear();
    err.write(`${failureText(error)}\n`);
    return signals.exitCode() ?? 1;
  } finally {
    signals.stop();
    progress.clear();
  }
  if (json === true) {
    print({
      event_type: 'result',
      exit_status: result.exitStatus,
      result: result.answer,
      result_path: result.resultPath,
      trace_path: result.tracePath,
    });
  } else {
    answer.finish(result.answer);
    err.write(`status:  ${result.exitStatus}\n`);
    // What went wrong is told there: nobody should have to run again to learn where.
    if (verbose === true || result.exitStatus !== 'ok') err.write(`trace:   ${result.tracePath}\n`);
  }
  if (result.error !== null) err.write(`${renderError(diagnose(result.error))}\n`);
  return signals.exitCode() ?? (result.exitStatus === 'ok' ? 0 : 1);
}
