import path from 'node:path';
import { readNamedFile, readNamedFileIfThere } from '@murmur/beneath';
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
  const text = await readNamedFile(absolute, { what: 'capsule manifest' });
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
  const bytes = await readNamedFileIfThere(file, { what: '.env file' });
  if (bytes === null) return env;
  return { ...parseEnvFile(bytes, { file }), ...env };
}
