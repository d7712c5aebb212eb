import { MurmurError } from '@murmur/errors';
import { type ArtifactManifest, type ArtifactRole, parseArtifactManifest } from '@murmur/manifest';
import { ArchiveProblem, type ArtifactLabel, reportingArchive } from './archive/archive-problem.js';
import { readArchive } from './archive/read-archive.js';
import { manifestEntry, type PayloadKind, selectPayload } from './select-payload.js';

/** An artifact taken out of its archive. */
export interface OpenedArtifact {
  readonly manifest: ArtifactManifest;
  /** The packed manifest as it is written. */
  readonly manifestText: string;
  /** Null for a role that this version does not know. */
  readonly role: ArtifactRole | null;
  readonly payloadKind: PayloadKind;
  /** Name of the payload in the archive. */
  readonly payloadEntry: string;
  readonly payload: Buffer;
  /** Every file of the archive by name, the two above included. */
  readonly files: ReadonlyMap<string, Buffer>;
}

export interface OpenArtifactOptions extends ArtifactLabel {
  /** See `decompressionLimitBytes`. */
  readonly maxDecompressedBytes: number;
}

/**
 * Reads a `.mur.zip` of the artifact that `name` and `version` name, scope or not, and takes its manifest and
 * payload out. Nothing is written to disk.
 *
 * Throws `ArtifactArchive` (`E-IO-003`): the archive is refused by `readArchive`, lacks its manifest or
 * payload, holds several candidates, is another artifact than asked for, or plays a role that its payload
 * cannot play. Implements `docs/spec/artifacts.md`, "Payload".
 */
export function openArtifact(bytes: Buffer, options: OpenArtifactOptions): Promise<OpenedArtifact> {
  return reportingArchive(options, async () => {
    const opened = await openUnnamedArtifact(bytes, options);
    const { name, version } = opened.manifest;
    if (name !== options.name.replace(/^[^/]*\//, '') || version !== options.version) {
      throw new ArchiveProblem(`it holds ${name}@${version}`);
    }
    return opened;
  });
}

/** As {@link openArtifact}, for an archive whose manifest is to say what it is. */
export function openUnnamedArtifact(bytes: Buffer, options: OpenArtifactOptions): Promise<OpenedArtifact> {
  return reportingArchive(options, async () => {
    const files = await readArchive(bytes, options);
    const manifestText = textOf(files.get(manifestEntry));
    const manifest = readPackedManifest(manifestText);
    const payloadKind = manifest.packaging;
    refuseUnlessPlayable(manifest.role, payloadKind);
    const selection = selectPayload(files.keys(), { name: manifest.name, kind: payloadKind });
    if ('problem' in selection) throw new ArchiveProblem(selection.problem);
    const payload = files.get(selection.entry) ?? Buffer.alloc(0);
    return Object.freeze({
      manifest,
      manifestText,
      role: manifest.role,
      payloadKind,
      payloadEntry: selection.entry,
      payload,
      files,
    });
  });
}

function textOf(bytes: Buffer | undefined): string {
  if (bytes === undefined) throw new ArchiveProblem(`it lacks ${manifestEntry}`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ArchiveProblem(`its ${manifestEntry} is not UTF-8 text`, { cause });
  }
}

function readPackedManifest(text: string): ArtifactManifest {
  try {
    return parseArtifactManifest(text, { file: manifestEntry }).manifest;
  } catch (error) {
    if (!(error instanceof MurmurError)) throw error;
    throw new ArchiveProblem(`its manifest cannot be used: ${error.diagnostic.message}`, { cause: error });
  }
}

const playable: Readonly<Record<ArtifactRole, readonly PayloadKind[]>> = {
  tool: ['wasm', 'native'],
  driver: ['wasm'],
  hook: ['wasm'],
  skill: ['static'],
};

function refuseUnlessPlayable(role: ArtifactRole | null, kind: PayloadKind): void {
  if (role === null || playable[role].includes(kind)) return;
  throw new ArchiveProblem(`it is a ${role}, and its payload is ${kind}, not ${playable[role].join(' or ')}`);
}
