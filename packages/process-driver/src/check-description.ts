import type { DriverDescription } from './contract.js';

/** Judges one `harness-needs` host: null when it is a `capabilities.network.allow` entry, else what is wrong with it. */
export type NetworkEntryCheck = (entry: string) => string | null;

function pathProblem(path: string): string | null {
  if (path.includes('\0')) return 'holds a NUL character';
  if (path.split('/').includes('..')) return "holds a '..' segment";
  if (path.startsWith('~/'))
    return path.replace(/^~\/+/, '') === '' ? 'names nothing below the home directory' : null;
  return path.startsWith('/') ? null : "neither starts with '~/' nor is absolute";
}

/** The first thing in a description that makes it unusable, quoting it; null when all of it holds. */
export function descriptionProblem(
  description: DriverDescription,
  isNetworkEntry: NetworkEntryCheck,
): string | null {
  for (const field of ['harness', 'binary'] as const)
    if (description[field].trim() === '')
      return `describe() gives ${JSON.stringify(description[field])} as ${field}`;
  for (const name of description.requiredEnv)
    if (name === '' || /[=\0]/.test(name))
      return `describe() lists ${JSON.stringify(name)} in required-env, which is no variable name`;
  if (description.loginCheck.tag === 'command' && description.loginCheck.args.length === 0)
    return 'describe() gives a login-check command without arguments, which could open a session';
  const { loginCheck, versionArgs } = description;
  for (const argument of [...versionArgs, ...(loginCheck.tag === 'command' ? loginCheck.args : [])])
    if (argument.includes('\0'))
      return `describe() lists the argument ${JSON.stringify(argument)}, which holds a NUL character`;
  for (const { path } of description.harnessNeeds.paths) {
    const problem = pathProblem(path);
    if (problem !== null)
      return `describe() asks for the path ${JSON.stringify(path)} in harness-needs, which ${problem}`;
  }
  for (const host of description.harnessNeeds.hosts) {
    const problem = isNetworkEntry(host);
    if (problem !== null)
      return `describe() asks for the host ${JSON.stringify(host)} in harness-needs: ${problem}`;
  }
  return null;
}
