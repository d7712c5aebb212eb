import { accessSync, constants, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readRequest, recordCase } from '@murmur/driver-kit/testkit';
import type { Host } from '../host.js';
import { reportingFailure } from './reporting-failure.js';

export interface DriverRecordFlags {
  readonly out: string;
  readonly model?: string;
  readonly harness?: string;
  readonly harnessVersion: string;
  readonly command: 'turn' | 'login' | 'version';
  readonly request?: string;
  readonly env?: readonly string[];
  readonly stdin?: string;
  readonly keepStdinOpen?: boolean;
  readonly interruptAfterLines?: number;
  readonly interruptStdin?: string;
  readonly killAfterLines?: number;
  readonly timeout: number;
}

/** `mur driver record`: runs a CLI and writes its recording. The exit code is that of the recording, not of the CLI. */
export function driverRecord(cli: readonly string[], flags: DriverRecordFlags, host: Host): Promise<number> {
  return reportingFailure(async () => {
    const [program = '', ...args] = cli;
    const directory = path.resolve(host.cwd, flags.out);
    const command = findProgram(program, host);
    const request =
      flags.request === undefined ? undefined : readRequestFile(path.resolve(host.cwd, flags.request));
    if (flags.command === 'turn' && request === undefined)
      throw new Error(
        'a turn is replayed with the launch request it was made for: name its file with --request',
      );
    // Whoever records with an account by accident publishes it: the home is empty unless one is named.
    const scratch = mkdtempSync(path.join(tmpdir(), 'murmur-record-'));
    try {
      const { stdin, keepStdinOpen, interruptAfterLines, interruptStdin, killAfterLines } = flags;
      const recorded = await recordCase({
        command,
        args,
        env: {
          ...(host.env.PATH === undefined ? {} : { PATH: host.env.PATH }),
          HOME: scratch,
          ...variables(flags, host),
        },
        cwd: host.cwd,
        timeoutMs: flags.timeout * 1000,
        directory,
        ...(flags.model === undefined ? {} : { modelUrl: flags.model }),
        ...(stdin === undefined ? {} : { stdin: readFileSync(path.resolve(host.cwd, stdin)) }),
        ...(keepStdinOpen === undefined ? {} : { keepStdinOpen }),
        ...(interruptAfterLines === undefined ? {} : { interruptAfterLines }),
        ...(interruptStdin === undefined ? {} : { interruptStdin: `${interruptStdin}\n` }),
        ...(killAfterLines === undefined ? {} : { killAfterLines }),
        ...(request === undefined ? {} : { request }),
        meta: {
          harness: flags.harness ?? path.basename(program),
          version: flags.harnessVersion,
          recordedOn: new Date().toISOString().slice(0, 10),
          command: flags.command,
          session: request?.session ?? null,
          bridge:
            request?.bridge === undefined
              ? null
              : { server: request.bridge.serverName, tools: request.bridge.toolNames },
        },
      });
      const { exit, meta, stdout } = recorded;
      process.stdout.write(
        [
          `Recorded ${stdout.length} bytes, exit ${exit.code ?? `by signal ${exit.signal}`}: ${directory}`,
          `Replaced: ${meta.redactions.join(', ') || 'nothing'}.`,
          'Read it before you keep it: what no rule knows is still in there.',
          '',
        ].join('\n'),
      );
      return 0;
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  });
}

function readRequestFile(file: string): ReturnType<typeof readRequest> {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new Error(`${file} cannot be read as JSON: ${(cause as Error).message}`, { cause });
  }
  return readRequest(value, file);
}

function variables({ env = [] }: DriverRecordFlags, host: Host): Readonly<Record<string, string>> {
  return Object.fromEntries(
    env.flatMap((pair) => {
      const at = pair.indexOf('=');
      if (at > 0) return [[pair.slice(0, at), pair.slice(at + 1)]];
      const value = host.env[pair];
      return value === undefined ? [] : [[pair, value]];
    }),
  );
}

function findProgram(name: string, { cwd, env }: Host): string {
  const candidates = name.includes('/')
    ? [path.resolve(cwd, name)]
    : (env.PATH ?? '')
        .split(':')
        .filter(path.isAbsolute)
        .map((directory) => path.join(directory, name));
  const found = candidates.find(isProgram);
  if (found === undefined) throw new Error(`${name} is no program: not a file to run, and not on PATH`);
  return found;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
