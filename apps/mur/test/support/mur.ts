// Runs the built `mur` as a person would: a process of its own, with an environment that the test states in full.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

export const repository = path.resolve(import.meta.dirname, '../../../..');
export const murBinary = path.join(repository, 'apps/mur/dist/mur.js');

if (!existsSync(murBinary)) throw new Error(`${murBinary} is not built: npm run build`);

export interface MurResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface MurOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs as this uid and gid (the test must be root). */
  readonly uid?: number;
  /** Program to run instead of the built `mur`, with the same arguments. */
  readonly entry?: string;
}

export interface RunningMur {
  readonly child: ChildProcess;
  readonly ended: Promise<MurResult>;
  /** Resolves once stdout or stderr holds the text. */
  saw(text: string): Promise<void>;
}

export function startMur(args: readonly string[], options: MurOptions): RunningMur {
  const child = spawn(process.execPath, [options.entry ?? murBinary, ...args], {
    cwd: options.cwd,
    env: options.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  let stdout = '';
  let stderr = '';
  const waiting = new Map<string, () => void>();
  const look = (): void => {
    for (const [text, resolve] of waiting) {
      if (!stdout.includes(text) && !stderr.includes(text)) continue;
      waiting.delete(text);
      resolve();
    }
  };
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
    look();
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
    look();
  });
  const ended = new Promise<MurResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return {
    child,
    ended,
    saw: (text) =>
      new Promise((resolve, reject) => {
        waiting.set(text, resolve);
        ended.then(
          () =>
            reject(new Error(`mur ended before it printed ${JSON.stringify(text)}:\n${stdout}\n${stderr}`)),
          reject,
        );
        look();
      }),
  };
}

export function mur(args: readonly string[], options: MurOptions): Promise<MurResult> {
  return startMur(args, options).ended;
}
