import { MurmurError, type WarningCondition } from '@murmur/errors';
import { deepFreeze } from '../deep-freeze.js';
import type { KeyPath } from '../key-path.js';
import { keyUses } from '../key-uses.js';
import { parseOptions } from '../parse-options.js';
import { issueRefusal, keyRefusal, type SourceText, textRefusal, valueAt } from '../refuse.js';
import { keyStates } from '../served.js';
import type { CapsuleManifest, KeyUse, Positions } from '../types.js';
import { blockPhrase, unknownKeys } from '../unknown-keys.js';
import { versionGap } from '../version-gap.js';
import { readYaml } from '../yaml/read.js';
import { assembleManifest } from './assemble.js';
import { checkInput } from './check.js';
import { checkArtifacts } from './check-artifacts.js';
import { checkCapabilities } from './check-capabilities.js';
import { checkAlternates, checkInference } from './check-inference.js';
import { checkSession } from './check-session.js';
import { refuseRemovedKeys } from './removed-keys.js';
import { type CapsuleRecord, capsuleSchema } from './schema.js';

/** A capsule manifest and what its reader has to say about it. */
export interface CapsuleManifestReading {
  readonly manifest: CapsuleManifest;
  /** Unknown keys (`W-SEC-019`) and grants without effect (`W-SEC-014`, `W-SEC-016`), in the order of the text. */
  readonly warnings: readonly WarningCondition[];
  /** Keys that ask for what this build does not serve: a launch is refused, naming all of them. */
  readonly unserved: readonly KeyUse[];
  /** Keys whose restriction does not bind yet: a launch warns once for each. */
  readonly unenforced: readonly KeyUse[];
  readonly positions: Positions;
}

/** How a capsule manifest is read. */
export interface CapsuleManifestOptions {
  /** The file's name, as messages show it. */
  readonly file: string;
  /** The version of the running `mur`; a manifest made for a later one gets one more line beside its unknown keys. */
  readonly servedVersion?: string;
}

/**
 * Reads a capsule manifest. Throws `E-MAN-001` (name or version missing), `E-MAN-002` (not YAML),
 * `E-MAN-003` (a value of the wrong kind or against a rule, with line and column) and `E-CAP-018` (a gateway
 * that says nothing about its key). The first problem in the order of the specification is thrown.
 * Spec: manifest, the capsule manifest.
 */
export function parseCapsuleManifest(
  input: string | Uint8Array,
  options: CapsuleManifestOptions,
): CapsuleManifestReading {
  const reading = readYaml(input, { keepsSource: isVersionText });
  if (!reading.ok) throw textRefusal(options.file, reading.problem);
  const { positions } = reading.content;
  const source: SourceText = { file: options.file, document: reading.content.value ?? {}, positions };
  requireIdentity(source);
  refuseRemovedKeys(source);

  // Of a text with a fault each step reads some more, so that problems come in the order of the specification.
  const all = Object.keys(source.document ?? {});
  const whole = readKeys(source, all);
  const upTo = (keys: readonly string[]): CapsuleManifest =>
    (whole.success ? whole : parseKeys(source, keys)).manifest;
  checkArtifacts(checkInput(upTo(['name', 'version', 'artifacts']), source));
  checkCapabilities(checkInput(upTo(['name', 'version', 'artifacts', 'capabilities']), source));
  checkInference(checkInput(upTo(['name', 'version', 'artifacts', 'capabilities', 'inference']), source));
  const { manifest, record } = whole.success ? whole : parseKeys(source, all);
  checkAlternates(checkInput(manifest, source));
  checkSession(checkInput(manifest, source));

  const uses = keyUses({
    schema: capsuleSchema,
    states: keyStates,
    document: source.document,
    parsed: record,
    positions,
  });
  return deepFreeze({ manifest, warnings: warningsOf(source, manifest, options), ...uses, positions });
}

type KeysReading =
  | { readonly success: true; readonly manifest: CapsuleManifest; readonly record: CapsuleRecord }
  | { readonly success: false; readonly error: MurmurError };

function readKeys(source: SourceText, keys: readonly string[]): KeysReading {
  const document = Object.entries(source.document ?? {}).filter(([key]) => keys.includes(key));
  const parsed = capsuleSchema.safeParse(Object.fromEntries(document), parseOptions);
  if (!parsed.success) return { success: false, error: issueRefusal(source, parsed.error) };
  return { success: true, manifest: deepFreeze(assembleManifest(parsed.data)), record: parsed.data };
}

function parseKeys(source: SourceText, keys: readonly string[]): KeysReading & { readonly success: true } {
  const reading = readKeys(source, keys);
  if (!reading.success) throw reading.error;
  return reading;
}

function requireIdentity(source: SourceText): void {
  const { document } = source;
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw keyRefusal(source, [], 'must be a mapping of keys');
  }
  for (const key of ['name', 'version']) {
    const value = valueAt(document, [key]);
    if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) {
      throw new MurmurError({ variant: null, code: 'E-MAN-001', file: source.file, key });
    }
  }
}

function warningsOf(
  source: SourceText,
  manifest: CapsuleManifest,
  options: CapsuleManifestOptions,
): readonly WarningCondition[] {
  const unknown = unknownKeys(capsuleSchema, source.document);
  const perKey = { code: 'W-SEC-019', wanted: null, served: null, unknown: null } as const;
  const warnings: WarningCondition[] = unknown.map(({ key, block, suggestion }) => ({
    ...perKey,
    key,
    block: blockPhrase(block),
    suggestion,
  }));
  const gap = unknown.length === 0 ? null : versionGap(manifest.murVersion, options.servedVersion);
  if (gap !== null) {
    const versions = { ...gap, unknown: unknown.length };
    warnings.push({ ...perKey, ...versions, key: null, block: blockPhrase([]), suggestion: null });
  }
  if (manifest.capabilities.state !== undefined) warnings.push({ code: 'W-SEC-014' });
  if (manifest.capabilities.conversation !== undefined) warnings.push({ code: 'W-SEC-016' });
  return warnings;
}

/** The keys whose value is version text, so that an unquoted `1.10` stays what it is. */
function isVersionText(path: KeyPath): boolean {
  const [first, , third] = path;
  if (path.length === 1) return first === 'version' || first === 'mur_version';
  return path.length === 3 && first === 'artifacts' && third === 'version';
}
