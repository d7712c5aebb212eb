import { MurmurError } from '@murmur/errors';
import { z } from 'zod';
import { deepFreeze } from './deep-freeze.js';
import { block, converted, mismatch, rawText, textWhere } from './fields.js';
import { parseOptions } from './parse-options.js';
import { isPathSegment } from './paths.js';
import { issueRefusal, keyRefusal, type SourceText, textRefusal, valueAt } from './refuse.js';
import type { ArtifactRole, JsonObject, JsonValue, Positions } from './types.js';
import { readYaml } from './yaml/read.js';

/** How an artifact is packed. */
export type PackagingType = 'wasm' | 'native' | 'static';

/** An artifact's own manifest, as `mur build` packs it. What a `capabilities` key in it says grants nothing. */
export interface ArtifactManifest {
  /** As written; whether it is a usable name is judged when the artifact is built (`E-BLD-001`). */
  readonly name: string;
  readonly version: string;
  /** As written. */
  readonly runtime: string;
  /** `runtime` when it is one of the four roles, else `null`. */
  readonly role: ArtifactRole | null;
  readonly implementation: 'wasm' | 'native';
  /** `execution`, or what role and implementation imply. */
  readonly packaging: PackagingType;
  /** Every packed file besides the manifest and a component. */
  readonly requiresFiles: readonly string[];
  readonly description?: string | undefined;
  readonly tags: readonly string[];
  /** As written: JSON text or a mapping. */
  readonly inputSchema?: JsonValue | undefined;
  readonly outputSchema?: JsonValue | undefined;
  /** As written; `parseUpstreamAuth` reads it, and only for an entry with a `gateway`. */
  readonly upstreamAuth?: JsonValue | undefined;
  /** Whether the retired block `inference_auth` is present. */
  readonly hasRetiredAuth: boolean;
  /** The keys of a hook, as written; judged when a hook is staged. */
  readonly hook: {
    readonly binding?: JsonValue | undefined;
    readonly executionMode?: JsonValue | undefined;
    readonly commitPolicy?: JsonValue | undefined;
  };
  /** As written; judged when the artifact is built or staged. */
  readonly programs?: JsonValue | undefined;
}

const textList = converted('a list of texts', (value) =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') ? (value as string[]) : undefined,
);

const kept = z.unknown().optional();

const schema = block({
  name: rawText(),
  version: textWhere('a version usable as a directory name', isPathSegment),
  runtime: rawText(),
  implementation: kept,
  execution: z
    .unknown()
    .transform((value, context): PackagingType => {
      const word = typeof value === 'string' ? value.toLowerCase() : value;
      if (word === 'wasm' || word === 'native' || word === 'static') return word;
      context.addIssue({ code: 'custom', message: mismatch('wasm, native or static', value) });
      return z.NEVER;
    })
    .optional(),
  requires_files: textList.optional(),
  description: kept,
  tags: kept,
  input_schema: kept,
  input: kept,
  output_schema: kept,
  upstream_auth: kept,
  inference_auth: kept,
  binding: kept,
  execution_mode: kept,
  commit_policy: kept,
  programs: kept,
});

const ROLES: readonly string[] = ['tool', 'driver', 'hook', 'skill'] satisfies ArtifactRole[];

/**
 * Reads an artifact's own manifest. Throws `E-MAN-001` (`name`, `version` or `runtime` missing), `E-MAN-002`
 * (not YAML) and `E-MAN-003` (a wrong value). Keys that it does not know are left alone: the same file may be
 * a capsule manifest. Spec: manifest, artifact manifests.
 */
export function parseArtifactManifest(
  input: string | Uint8Array,
  options: { file: string },
): { readonly manifest: ArtifactManifest; readonly positions: Positions } {
  const { file } = options;
  const reading = readYaml(input, { keepsSource: (path) => path.length === 1 && path[0] === 'version' });
  if (!reading.ok) throw textRefusal(file, reading.problem);
  const { value, positions } = reading.content;
  const source: SourceText = { file, document: value, positions };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw keyRefusal(source, [], 'must be a mapping of keys');
  }
  for (const key of ['name', 'version', 'runtime']) {
    const given = valueAt(value, [key]);
    if (given === undefined || given === null || (typeof given === 'string' && given.trim() === '')) {
      throw new MurmurError({ variant: null, code: 'E-MAN-001', file, key });
    }
  }
  const parsed = schema.safeParse(value, parseOptions);
  if (!parsed.success) throw issueRefusal(source, parsed.error);
  return { manifest: deepFreeze(assemble(parsed.data, value as JsonObject)), positions };
}

function assemble(record: z.output<typeof schema>, written: JsonObject): ArtifactManifest {
  const role = (ROLES.includes(record.runtime) ? record.runtime : null) as ArtifactRole | null;
  const implementation = record.implementation === 'native' ? 'native' : 'wasm';
  const implied = role === 'tool' && implementation === 'native' ? 'native' : 'wasm';
  return {
    name: record.name,
    version: record.version,
    runtime: record.runtime,
    role,
    implementation,
    packaging: record.execution ?? (role === 'skill' ? 'static' : implied),
    requiresFiles: record.requires_files ?? (role === 'skill' ? ['skill.md'] : []),
    description: typeof record.description === 'string' ? record.description : undefined,
    tags: Array.isArray(record.tags) ? record.tags.filter((tag) => typeof tag === 'string') : [],
    inputSchema: written.input_schema ?? written.input,
    outputSchema: written.output_schema,
    upstreamAuth: written.upstream_auth,
    hasRetiredAuth: Object.hasOwn(written, 'inference_auth'),
    hook: {
      binding: written.binding,
      executionMode: written.execution_mode,
      commitPolicy: written.commit_policy,
    },
    programs: written.programs,
  };
}
