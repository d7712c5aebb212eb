import { basename, isAbsolute, join } from 'node:path';
import type { Readable } from 'node:stream';
import { openJail } from '@murmur/containment';
import type { LaunchRequest } from '@murmur/driver-sdk';
import type { TranscriptCase, TranscriptMeta } from '../transcript/case.js';
import { writeCase } from '../transcript/write-case.js';
import { createRedactor, type Redaction, type Redactor } from './redact.js';

/** Stands for the model's URL in arguments, variables and stdin. */
export const MODEL_URL_TOKEN = '{model_url}';

/** Most bytes of each stream that are kept; a harness that prints more is stopped. */
const MAX_BYTES = 64 * 1024 * 1024;

export interface RecordOptions {
  /** Absolute path of the CLI. */
  readonly command: string;
  readonly args: readonly string[];
  /** The CLI's whole environment: nothing else is passed on. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute directory it runs in. */
  readonly cwd: string;
  /** Written to its stdin, which is closed behind it unless `keepStdinOpen`. */
  readonly stdin?: string | Uint8Array;
  readonly keepStdinOpen?: boolean;
  /** Closes an open stdin once stdout was silent for so long, milliseconds; default 3000. */
  readonly closeStdinAfterQuietMs?: number;
  /** URL of the model server; put wherever `{model_url}` stands, and redacted. A real provider's answers carry account data: use a local one. */
  readonly modelUrl?: string;
  /** SIGINT once this many lines of stdout have come. */
  readonly interruptAfterLines?: number;
  /** Instead of SIGINT: what interrupts when written to stdin. */
  readonly interruptStdin?: string;
  /** SIGKILL once this many lines have come. */
  readonly killAfterLines?: number;
  /** Ends a CLI that hangs, milliseconds; default 120000. */
  readonly timeoutMs?: number;
  /** What the recording is: harness, version, command, session, bridge. */
  readonly meta: Pick<
    TranscriptMeta,
    'harness' | 'version' | 'recordedOn' | 'command' | 'session' | 'bridge'
  >;
  /** The launch request it is to be replayed with. */
  readonly request?: LaunchRequest;
  /** More to replace: account names, organisations, tokens of a bridge. */
  readonly redactions?: readonly Redaction[];
  /** Directory of the case; it is written there. */
  readonly directory: string;
}

/**
 * Runs a real CLI and keeps what it printed as a case: the bytes of stdout, stderr and the exit, with paths, ids, tokens
 * and the model's URL replaced, each always by the same. Needs a person afterwards: nothing but that replacement keeps
 * account data out, and goldens are reviewed by hand.
 *
 * @throws MurmurError `Runtime` when the CLI cannot be started
 */
export async function recordCase(options: RecordOptions): Promise<TranscriptCase> {
  const { modelUrl = '' } = options;
  const filled = (text: string): string => text.replaceAll(MODEL_URL_TOKEN, modelUrl);
  const args = options.args.map(filled);
  const env = Object.fromEntries(Object.entries(options.env).map(([name, value]) => [name, filled(value)]));
  const run = await runRecorded(options, args, env, filled);

  const redactor = createRedactor([
    ...standing(options, env),
    ...pathsIn(args),
    ...(options.redactions ?? []),
  ]);
  const request = options.request === undefined ? null : redactedJson(redactor, options.request);
  const recorded: TranscriptCase = {
    name: basename(options.directory),
    stdout: redactor.bytes(run.stdout),
    stderr: redactor.text(run.stderr.toString('utf8')),
    exit: { code: run.code, signal: run.signal, interrupted: run.interrupted },
    request,
    plan: null,
    events: null,
    meta: {
      ...options.meta,
      session: options.meta.session === null ? null : redactedJson(redactor, options.meta.session),
      argv: [basename(options.command), ...args].map((each) => redactor.text(each)),
      envNames: Object.keys(env).sort(),
      terminalLines: null,
      usage: null,
      lossless: true,
      exitAnswers: false,
      toolInputs: [],
      redactions: redactor.done,
    },
  };
  await writeCase(options.directory, recorded);
  return recorded;
}

function redactedJson<Value>(redactor: Redactor, value: Value): Value {
  return JSON.parse(redactor.text(JSON.stringify(value))) as Value;
}

/** Paths of this machine, the model's URL, and values of variables whose names say that they are secret. */
function standing(options: RecordOptions, env: Readonly<Record<string, string>>): readonly Redaction[] {
  const { modelUrl, cwd, command } = options;
  const secrets = Object.entries(env).filter(
    ([name, value]) => /key|token|secret|password|auth/i.test(name) && value.length >= 6,
  );
  return [
    ...secrets.map(([name, find]) => ({
      find,
      put: `redacted-${name.toLowerCase()}`,
      what: `the value of ${name}`,
    })),
    ...(modelUrl === undefined || modelUrl === ''
      ? []
      : [
          { find: modelUrl, put: 'http://model.test', what: "the model's URL" },
          ...hostOf(modelUrl).map((find) => ({ find, put: 'model.test', what: "the model's address" })),
        ]),
    { find: cwd, put: '/workdir', what: 'the working directory' },
    ...(env.HOME === undefined || env.HOME === '/'
      ? []
      : [{ find: env.HOME, put: '/home/user', what: 'the home directory' }]),
    { find: command, put: join('/usr/bin', basename(command)), what: 'the path of the program' },
  ];
}

function pathsIn(args: readonly string[]): readonly Redaction[] {
  return args
    .filter((each) => isAbsolute(each))
    .map((find) => ({ find, put: `/somewhere/${basename(find)}`, what: 'paths among the arguments' }));
}

function hostOf(url: string): readonly string[] {
  try {
    return [new URL(url).host];
  } catch {
    return [];
  }
}

interface Recorded {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly code: number | null;
  readonly signal: number | null;
  readonly interrupted: boolean;
}

async function runRecorded(
  options: RecordOptions,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  filled: (text: string) => string,
): Promise<Recorded> {
  const jail = await openJail({ class: 'advisory', label: 'recording' });
  try {
    const child = await jail.spawn({
      program: options.command,
      args,
      env,
      cwd: options.cwd,
      stdin: options.stdin === undefined && options.keepStdinOpen !== true ? 'null' : 'pipe',
      stdout: 'pipe',
      stderr: 'pipe',
    });
    let lines = 0;
    let interrupted = false;
    let quiet: NodeJS.Timeout | undefined;
    const waitForQuiet = (): void => {
      clearTimeout(quiet);
      quiet = setTimeout(() => child.stdin?.end(), options.closeStdinAfterQuietMs ?? 3000);
    };
    const onLines = (chunk: Buffer): void => {
      if (options.keepStdinOpen === true) waitForQuiet();
      for (const byte of chunk) if (byte === 0x0a) lines += 1;
      if (!interrupted && options.interruptAfterLines !== undefined && lines >= options.interruptAfterLines) {
        interrupted = true;
        if (options.interruptStdin !== undefined) child.stdin?.write(options.interruptStdin);
        else child.signal('SIGINT');
      }
      if (options.killAfterLines !== undefined && lines >= options.killAfterLines) child.signal('SIGKILL');
    };
    const stop = (): void => {
      child.kill().catch(() => undefined);
    };
    // A CLI that does not read its stdin must not end the recording.
    child.stdin?.on('error', () => undefined);
    const { stdin } = options;
    if (stdin !== undefined)
      child.stdin?.write(typeof stdin === 'string' ? filled(stdin) : Buffer.from(stdin));
    if (options.keepStdinOpen !== true) child.stdin?.end();
    const timer = setTimeout(stop, options.timeoutMs ?? 120_000);
    try {
      const [stdout, stderr, exit] = await Promise.all([
        collect(child.stdout, onLines, stop),
        collect(child.stderr, () => undefined, stop),
        child.exited,
      ]);
      return { stdout, stderr, code: exit.code, signal: exit.signal, interrupted };
    } finally {
      clearTimeout(timer);
      clearTimeout(quiet);
    }
  } finally {
    await jail[Symbol.asyncDispose]();
  }
}

async function collect(
  stream: Readable | null,
  onChunk: (chunk: Buffer) => void,
  stop: () => void,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream ?? []) {
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > MAX_BYTES) {
      stop();
      break;
    }
    chunks.push(bytes);
    onChunk(bytes);
  }
  return Buffer.concat(chunks);
}
