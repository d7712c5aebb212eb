import { booleanMember, isJsonObject, type LoginOutput, type LoginState, readJson } from '@murmur/driver-sdk';

/** Reads `claude auth status`. What it printed is never repeated: it names the person and the organisation. */
export function readClaudeLogin(output: LoginOutput): LoginState {
  const status = readJson(output.stdout.trim());
  const loggedIn = isJsonObject(status) ? booleanMember(status, 'loggedIn') : undefined;
  if (loggedIn === true) return { tag: 'logged-in' };
  if (loggedIn === false)
    return { tag: 'logged-out', val: 'Claude Code is not signed in: run `claude auth login`' };
  return {
    tag: 'unknown',
    val:
      output.exitCode === undefined
        ? 'a signal ended `claude auth status`'
        : `\`claude auth status\` exited with code ${output.exitCode} and printed no status`,
  };
}
