import { isAscii } from 'node:buffer';
import { createHash, randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { constants, Script } from 'node:vm';

/** A program loaded from one CommonJS file. */
export interface LoadedProgram {
  readonly exports: unknown;
  /** True when its compiled form came from the directory instead of being made anew. */
  readonly fromKept: boolean;
  /** Keeps what V8 has compiled up to now for the next process, unless it was taken from there. Never throws. */
  keep(): void;
}

export interface ProgramRequest {
  /** Path of the CommonJS file. */
  readonly file: string;
  /** Directory of kept forms, made on first use in a parent that must exist; null keeps nothing. */
  readonly directory: string | null;
  /** What the process is going to do with the program: other tasks compile other functions. Letters only. */
  readonly task: string;
}

const DIGEST_BYTES = 32;

/**
 * Loads a program and V8's compiled form of it, which takes less time than compiling it: on every version of Node, in
 * one file per task. A form is taken only from a directory of this account that nobody else can write to, when it is
 * whole, and when it was made from this very source by this very engine; else the source is compiled.
 */
export function loadProgram({ file, directory, task }: ProgramRequest): LoadedProgram {
  const bytes = readFileSync(file);
  const source = isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8');
  const name = `${task}-${process.version}-${process.arch}-${sha256(bytes).toString('hex').slice(0, 32)}`;
  const cachedData = directory === null ? null : readKept(directory, name);
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData === null ? {} : { cachedData }),
  });
  const fromKept = cachedData !== null && script.cachedDataRejected !== true;
  const module: { exports: unknown } = { exports: {} };
  const run = script.runInThisContext() as (...scope: unknown[]) => void;
  run(module.exports, createRequire(file), module, file, path.dirname(file));
  return {
    exports: module.exports,
    fromKept,
    keep() {
      if (!fromKept && directory !== null) writeKept(directory, task, name, () => script.createCachedData());
    },
  };
}

function sha256(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}

function readKept(directory: string, name: string): Buffer | null {
  try {
    if (!isPrivate(directory)) return null;
    const kept = readFileSync(path.join(directory, name));
    const data = kept.subarray(DIGEST_BYTES);
    // V8 trusts what it is given: half a file would bring it down.
    return sha256(data).equals(kept.subarray(0, DIGEST_BYTES)) ? data : null;
  } catch {
    return null;
  }
}

/** Whoever can write here can make the next `mur` run their code. */
function isPrivate(directory: string): boolean {
  const { mode, uid } = lstatSync(directory);
  const isDirectory = (mode & 0o170000) === 0o040000;
  return (
    isDirectory && (process.platform === 'win32' || ((mode & 0o022) === 0 && uid === process.getuid?.()))
  );
}

function writeKept(directory: string, task: string, name: string, make: () => Buffer): void {
  try {
    if (!isPrivate(path.dirname(directory))) return;
    mkdirSync(directory, { mode: 0o700, recursive: true });
    if (!isPrivate(directory)) return;
    const data = make();
    const passing = path.join(directory, `.${task}-${randomBytes(8).toString('hex')}`);
    try {
      writeFileSync(passing, Buffer.concat([sha256(data), data]), { mode: 0o600, flag: 'wx' });
      renameSync(passing, path.join(directory, name));
    } catch (error) {
      rmSync(passing, { force: true });
      throw error;
    }
    // Forms of other versions of the program are of no use any more.
    for (const other of readdirSync(directory))
      if (other.startsWith(`${task}-`) && other !== name)
        rmSync(path.join(directory, other), { force: true });
  } catch {
    // A form that cannot be kept costs the next process a moment.
  }
}
