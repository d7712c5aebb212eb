import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type Beneath, openBeneath } from '@murmur/beneath';
import { MurmurError, type WarningCondition } from '@murmur/errors';
import { type ArtifactManifest, bareNameProblem, parseArtifactManifest } from '@murmur/manifest';
import { type ArchiveFile, writeArchive } from '../archive/write-archive.js';
import { decompressionLimitBytes } from '../decompression-limit.js';
import { capsuleComponent, manifestEntry, rootComponents, selectPayload } from '../select-payload.js';
import { sha256Of } from '../sha256.js';
import { isVersionSegment } from '../store/file-names.js';
import { buildInputs } from './build-inputs.js';
import { listPackedFiles } from './packed-files.js';
import { scanForSecrets } from './secret-scan.js';

/** An artifact packed in memory. */
export interface PackedArtifact {
  readonly name: string;
  readonly version: string;
  readonly bytes: Buffer;
  readonly sha256: string;
  /** `W-BLD-001` to `-003`, `W-SEC-004`. */
  readonly warnings: readonly WarningCondition[];
}

export interface PackOptions {
  /** The directory that holds the artifact's `murmur.yaml`. */
  readonly directory: string;
  /** Where the archive goes: a path ending in `.mur.zip`, or an existing directory. Default: `directory`. */
  readonly output?: string;
  /** The caller's environment, for `MURMUR_MAX_ARTIFACT_DECOMPRESSED_BYTES`. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Packs the artifact of a directory and writes `<name>-<version>.mur.zip`: the manifest and exactly the files
 * of `requires_files`. Compiles nothing. The same files give the same bytes. Returns the path written.
 *
 * Throws, before anything is written: `E-IO-001` (no `murmur.yaml`), `E-MAN-001` to `-003`, `E-BLD-001`
 * (name), `E-BLD-002` (a declared file), `E-BLD-003` (no single component), `E-BLD-004` (retired block),
 * `E-IO-002`, `E-IO-003`. Implements `docs/spec/artifacts.md`, "Building".
 */
export async function packArtifact(
  options: PackOptions,
): Promise<PackedArtifact & { readonly file: string }> {
  const packed = await pack(options.directory, options.env, (defaultName) =>
    chooseOutput(options.directory, options.output, defaultName),
  );
  const file = packed.output ?? '';
  await using target = await openBeneath(path.dirname(file), { create: true });
  await target.write(path.basename(file), packed.artifact.bytes);
  return Object.freeze({ ...packed.artifact, file });
}

/** As {@link packArtifact}, writing nothing. */
export async function packInMemory(options: Omit<PackOptions, 'output'>): Promise<PackedArtifact> {
  return (await pack(options.directory, options.env, async () => null)).artifact;
}

async function pack(
  directoryPath: string,
  env: PackOptions['env'],
  chooseFile: (defaultName: string) => Promise<string | null>,
): Promise<{ readonly artifact: PackedArtifact; readonly output: string | null }> {
  await using directory = await openBeneath(directoryPath);
  const file = path.join(directoryPath, manifestEntry);
  const manifestBytes = await directory.read(manifestEntry);
  const { manifest, positions } = parseArtifactManifest(manifestBytes, { file });
  refuseUnlessNamed(manifest, file, positions.get('version')?.value);
  const output = await chooseFile(`${manifest.name}-${manifest.version}.mur.zip`);
  const ownPath = output === null ? null : path.relative(directoryPath, output).split(path.sep).join('/');
  const { names, warnings } = await listPackedFiles(directory, manifest.requiresFiles, ownPath);
  refuseUnlessArchiveName(output);
  refuseUnlessLaunchable(manifest, names, directoryPath);
  if (manifest.hasRetiredAuth) throw new MurmurError({ variant: null, code: 'E-BLD-004', file });
  const bytes = await writeArchive(
    await readFiles(directory, names, manifestBytes, decompressionLimitBytes(env)),
  );
  const artifact = Object.freeze({
    name: manifest.name,
    version: manifest.version,
    bytes,
    sha256: sha256Of(bytes),
    warnings: [...warnings, ...lints(manifest, names), ...secretWarnings(manifestBytes, file)],
  });
  return { artifact, output };
}

function refuseUnlessNamed(
  { name, version }: ArtifactManifest,
  file: string,
  at: { readonly line: number; readonly column: number } | undefined,
): void {
  const problem = bareNameProblem(name);
  if (problem !== null)
    throw new MurmurError({ variant: null, code: 'E-BLD-001', name, problem: `it ${problem}` });
  if (isVersionSegment(version)) return;
  throw new MurmurError({
    variant: null,
    code: 'E-MAN-003',
    file,
    line: at?.line ?? null,
    column: at?.column ?? null,
    key: 'version',
    value: version,
    problem: 'cannot be part of a file name everywhere',
    remedy: 'use a version such as 1.2.0',
  });
}

/** The path of the archive: as given, in the directory given, or beside the manifest. */
async function chooseOutput(directory: string, output: string | undefined, name: string): Promise<string> {
  if (output === undefined) return path.join(directory, name);
  const isDirectory = await stat(output).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isDirectory ? path.join(output, name) : output;
}

function refuseUnlessArchiveName(output: string | null): void {
  if (output === null || output.endsWith('.mur.zip')) return;
  const reason = 'the name of an artifact archive ends in .mur.zip';
  throw new MurmurError({ variant: null, code: 'E-IO-003', operation: 'pack', path: output, reason });
}

function refuseUnlessLaunchable(
  manifest: ArtifactManifest,
  names: readonly string[],
  directory: string,
): void {
  if (manifest.packaging !== 'wasm') return;
  const selection = selectPayload(names, { name: manifest.name, kind: 'wasm' });
  if ('entry' in selection) return;
  throw new MurmurError({ variant: null, code: 'E-BLD-003', directory, problem: selection.problem });
}

/** Stops at the ceiling that readers hold, so that no archive is made which nobody could open. */
async function readFiles(
  directory: Beneath,
  names: readonly string[],
  manifest: Buffer,
  maxBytes: number,
): Promise<readonly ArchiveFile[]> {
  const files: ArchiveFile[] = [];
  let left = maxBytes;
  for (const name of names) {
    const content = name === manifestEntry ? manifest : await directory.read(name, { maxBytes: left });
    left -= content.length;
    files.push({ name, content });
  }
  return files;
}

function lints(manifest: ArtifactManifest, names: readonly string[]): readonly WarningCondition[] {
  if (manifest.packaging === 'static') return [];
  const idle = rootComponents(names).filter((name) => name !== capsuleComponent);
  const inputs = buildInputs(names);
  return [
    ...(manifest.packaging === 'wasm' && names.includes(capsuleComponent) && idle.length > 0
      ? [{ code: 'W-BLD-002' as const, files: idle }]
      : []),
    ...(inputs.length > 0 ? [{ code: 'W-BLD-003' as const, files: inputs }] : []),
  ];
}

function secretWarnings(manifest: Buffer, file: string): readonly WarningCondition[] {
  return scanForSecrets(manifest.toString('utf8')).map((field) => ({ code: 'W-SEC-004', file, field }));
}
