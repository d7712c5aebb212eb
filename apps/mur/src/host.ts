import path from 'node:path';

/**
 * What `mur` reads of its surroundings: once, here, and passed down. Packages never look at the process
 * environment or the working directory themselves.
 */
export interface Host {
  readonly cwd: string;
  /** The person's home directory; null when HOME is unset, empty or not absolute. */
  readonly home: string | null;
  readonly env: Readonly<Record<string, string>>;
}

export function readHost(): Host {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) env[name] = value;
  const home = env.HOME ?? env.USERPROFILE;
  return {
    cwd: process.cwd(),
    home: home !== undefined && path.isAbsolute(home) ? home : null,
    env,
  };
}
