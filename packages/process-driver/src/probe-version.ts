import { stripControl } from '@murmur/errors';
import { runHarnessCommand } from './run-command.js';
import type { HarnessVersion, ProbeOptions } from './types.js';
import { binaryIdentity, readCachedVersion, writeCachedVersion } from './version-cache.js';

function firstLine(text: string): string | null {
  for (const line of text.split('\n')) if (line.trim() !== '') return line.trim();
  return null;
}

/** True when some word of the line, less one leading `v`, is exactly one of the tested versions. */
export function isTestedVersion(line: string, tested: readonly string[]): boolean {
  return line.split(/\s+/).some((word) => tested.includes(word.startsWith('v') ? word.slice(1) : word));
}

interface Answer {
  readonly line: string | null;
  readonly reason: string | null;
}

const unreadable = (reason: string): Answer => ({ line: null, reason });

async function ask(options: ProbeOptions): Promise<Answer> {
  const outcome = await runHarnessCommand(options, options.description.versionArgs);
  if (outcome.kind === 'failed') return unreadable(outcome.reason);
  if (outcome.exit.code !== 0) return unreadable('exited non-zero');
  const line = firstLine(outcome.stdout) ?? firstLine(outcome.stderr);
  if (line === null) return unreadable('printed nothing');
  return { line: stripControl(line).slice(0, 1000), reason: null };
}

/**
 * Asks the harness for its version, at most 10 s long. An answer is remembered for as long as the binary is the same
 * file (real path, device, inode, change time, size) and the question the same. Never a refusal: an untested or
 * unreadable version is a warning (W-RUN-002). Implements "Version" of `docs/spec/process-driver.md`.
 */
export async function probeHarnessVersion(options: ProbeOptions): Promise<HarnessVersion> {
  const { binary, cache, description } = options;
  const identity = cache === null ? null : await binaryIdentity(binary.path, description.versionArgs);
  const remembered = identity === null || cache === null ? null : await readCachedVersion(cache, identity);
  const answer = remembered === null ? await ask(options) : { line: remembered, reason: null };
  if (remembered === null && answer.line !== null && identity !== null && cache !== null)
    await writeCachedVersion(cache, identity, answer.line);

  const tested = answer.line !== null && isTestedVersion(answer.line, description.testedVersions);
  return {
    line: answer.line,
    tested,
    warning: tested
      ? null
      : {
          code: 'W-RUN-002',
          harness: description.harness,
          detail:
            answer.line === null
              ? `its version could not be read: it ${answer.reason}`
              : `its version reads '${answer.line}'`,
          tested: [...description.testedVersions],
        },
  };
}
