import path from 'node:path';

/**
 * What `mur` reads of its surroundings: once, here, and passed down. Packages never look at the process
 * environment or the working directory themselves.
 */
export interface Host {
  readonly cwd: string;
  /** The person's home directory; null when HOME is unset, empty, not absolute or not UTF-8. */
  readonly home: string | null;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * What Node puts in the place of bytes that are not UTF-8: such a path names another directory than the one meant,
 * and would be made beside it.
 */
const UNDECODED = '\ufffd';

export function readHost(): Host {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) env[name] = value;
  const home = env.HOME ?? env.USERPROFILE;
  return {
    cwd: process.cwd(),
    home: home !== undefined && path.isAbsolute(home) && !home.includes(UNDECODED) ? home : null,
    env,
  };
}
