import { isMurmurError, stripControl } from '@murmur/errors';
import { runHarnessCommand } from './run-command.js';
import type { LoginCheckOptions, LoginReport } from './types.js';

/** A reason as it is shown: its first line, at most 200 characters, free of terminal control. */
function shown(reason: string): string {
  return stripControl(reason.split('\n', 1)[0] ?? '').slice(0, 200);
}

/**
 * Asks the harness whether it is signed in, as the driver says one asks, without spending a turn. Never refuses: what
 * cannot be found out is `unknown` with the reason. Implements "Login" of `docs/spec/process-driver.md`.
 */
export async function checkHarnessLogin(options: LoginCheckOptions): Promise<LoginReport> {
  const { loginCheck } = options.description;
  if (loginCheck.tag === 'unavailable') return { tag: 'unavailable', reason: shown(loginCheck.reason) };
  const outcome = await runHarnessCommand(options, loginCheck.args);
  if (outcome.kind === 'failed') return { tag: 'unknown', reason: shown(outcome.reason) };
  try {
    await using instance = await options.driver.openInstance();
    const { stdout, stderr, exit } = outcome;
    const state = await instance.readLogin({ exitCode: exit.code, stdout, stderr });
    return state.tag === 'logged-in' ? state : { tag: state.tag, reason: shown(state.reason) };
  } catch (error) {
    // An instance that does not start reads nothing; the harness was asked all the same.
    if (!isMurmurError(error)) throw error;
    return { tag: 'unknown', reason: shown(error.message) };
  }
}
