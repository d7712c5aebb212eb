import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { MurmurError, osError } from '@murmur/errors';
import { type CapsuleManifestReading, parseCapsuleManifest, parseEnvFile } from '@murmur/manifest';

/** The manifest as read, and where its project lies. */
export interface Project {
  /** Absolute path of the manifest. */
  readonly manifestPath: string;
  /** Directory that holds it: the project and workspace root. */
  readonly directory: string;
  readonly parsed: CapsuleManifestReading;
  /** The manifest's own text, as it goes into the session's inventory. */
  readonly manifestText: string;
}

/** @throws MurmurError E-IO-001, E-IO-002, E-IO-003, E-MAN-001 to -003, E-CAP-018 */
export async function readProject(manifestPath: string, cwd: string, murVersion: string): Promise<Project> {
  const absolute = path.resolve(cwd, manifestPath);
  const text = await readInput(absolute, 'capsule manifest');
  const parsed = parseCapsuleManifest(text, { file: absolute, servedVersion: murVersion });
  return {
    manifestPath: absolute,
    directory: path.dirname(absolute),
    parsed,
    manifestText: text.toString('utf8'),
  };
}

/**
 * The variables of the `.env` file beside the manifest under those already set; absent file = nothing added.
 * @throws MurmurError E-IO-002, E-IO-003
 */
export async function withEnvFile(
  env: Readonly<Record<string, string>>,
  directory: string,
): Promise<Readonly<Record<string, string>>> {
  const file = path.join(directory, '.env');
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (error) {
    if (osError(error).code === 'ENOENT') return env;
    throw unreadable(error, file, '.env file');
  }
  return { ...parseEnvFile(bytes, { file }), ...env };
}

/** Reads a file that the person named; says what it was meant to be when it cannot be read. */
export async function readInput(file: string, what: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw unreadable(error, file, what);
  }
}

function unreadable(error: unknown, file: string, what: string): MurmurError {
  const source = osError(error);
  if (source.code === 'ENOENT')
    return new MurmurError({ variant: null, code: 'E-IO-001', what, path: file }, { cause: error });
  if (source.code === 'EACCES' || source.code === 'EPERM') {
    return new MurmurError(
      { variant: null, code: 'E-IO-002', operation: `read the ${what}`, path: file, source },
      { cause: error },
    );
  }
  return new MurmurError(
    { variant: null, code: 'E-IO-003', operation: `read the ${what}`, path: file, reason: source.message },
    { cause: error },
  );
}
