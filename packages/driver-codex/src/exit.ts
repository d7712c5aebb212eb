import {
  classifyExitByDefault,
  type DriverEvent,
  type ExitStatus,
  type LoginOutput,
  type LoginState,
  turnFailed,
} from '@murmur/driver-sdk';

/** Codex prints nothing at the end of an interrupted turn, and refuses a start on stderr alone. */
export function classifyCodexExit(exit: ExitStatus): DriverEvent {
  const judged = classifyExitByDefault(exit);
  if (judged.tag !== 'turn-failed' || judged.val.kind !== 'harness-error') return judged;
  return /not logged in|codex login/i.test(exit.stderrTail) ? turnFailed('auth', judged.val.message) : judged;
}

/**
 * Reads `codex login status`, which answers on stderr. What it printed is never repeated: a login by key comes
 * with a part of the key.
 */
export function readCodexLogin(output: LoginOutput): LoginState {
  if (output.exitCode === 0) return { tag: 'logged-in' };
  if (/not logged in/i.test(output.stderr) || /not logged in/i.test(output.stdout))
    return { tag: 'logged-out', val: 'Codex is not signed in: run `codex login`' };
  return {
    tag: 'unknown',
    val:
      output.exitCode === undefined
        ? 'a signal ended `codex login status`'
        : `\`codex login status\` exited with code ${output.exitCode}`,
  };
}
