import { spawn } from 'node:child_process';

/** A child's environment that holds nothing which slows Node down or leads outside the bench. */
export function plainEnvironment(home: string): Record<string, string> {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: home };
}

export interface RunOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stdin?: string;
}

/** Runs a program to its end, output dropped; throws with its stderr when it does not end with 0. */
export function runQuietly(program: string, args: readonly string[], options: RunOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.stdin ?? '');
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} ${args.join(' ')} ended with ${code ?? 'a signal'}:\n${stderr}`));
    });
  });
}

/** Absolute path of a program on PATH; null when it is not installed. */
export async function findProgram(name: string): Promise<string | null> {
  const { access, constants } = await import('node:fs/promises');
  const { join } = await import('node:path');
  for (const directory of (process.env.PATH ?? '').split(':')) {
    const path = join(directory, name);
    const found = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (directory !== '' && found) return path;
  }
  return null;
}
