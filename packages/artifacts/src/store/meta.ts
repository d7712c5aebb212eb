import { isPlatformTag, type PlatformTag } from '@murmur/manifest';
import type { PayloadKind } from '../select-payload.js';

/** Interfaces of a component, by full name with version. */
export interface WitContracts {
  readonly exports: readonly string[];
  readonly imports: readonly string[];
}

/** Reads a component's interfaces out of its bytes, or returns null when it is none. */
export type ReadInterfaces = (component: Uint8Array) => WitContracts | null | Promise<WitContracts | null>;

/** What a store records beside an archive. */
export interface ArtifactMeta {
  readonly name: string;
  readonly version: string;
  readonly runtime: PayloadKind;
  /** The role text of the packed manifest. */
  readonly artifactRuntime: string;
  /** Platforms a native artifact is built for; empty for what runs everywhere. */
  readonly platforms: readonly PlatformTag[];
  readonly description: string | null;
  readonly tags: readonly string[];
  /** Absent when there is no readable component. */
  readonly witContracts?: WitContracts;
}

/** The text of a `meta.json`. */
export function formatMeta(meta: ArtifactMeta): string {
  const contracts = meta.witContracts === undefined ? {} : { wit_contracts: meta.witContracts };
  const body = {
    name: meta.name,
    version: meta.version,
    runtime: meta.runtime,
    artifact_runtime: meta.artifactRuntime,
    platforms: meta.platforms.map((platform) => platform.split(/-(.*)/s).slice(0, 2)),
    description: meta.description,
    tags: meta.tags,
    ...contracts,
  };
  return `${JSON.stringify({ meta: body }, null, 2)}\n`;
}

/**
 * Reads a `meta.json`. It is only a description for listings: whatever is missing or malformed is replaced
 * by what the path says.
 */
export function readMeta(
  text: string | null,
  path: { readonly name: string; readonly version: string },
): ArtifactMeta {
  const meta = fieldsOf(fieldsOf(parse(text)).meta);
  const contracts = fieldsOf(meta.wit_contracts);
  const exports = textsOf(contracts.exports);
  const imports = textsOf(contracts.imports);
  const runtime = meta.runtime;
  return {
    name: path.name,
    version: path.version,
    runtime: runtime === 'native' || runtime === 'static' ? runtime : 'wasm',
    artifactRuntime: typeof meta.artifact_runtime === 'string' ? meta.artifact_runtime : 'tool',
    platforms: platformsOf(meta.platforms),
    description: typeof meta.description === 'string' ? meta.description : null,
    tags: textsOf(meta.tags) ?? [],
    ...(exports === null || imports === null ? {} : { witContracts: { exports, imports } }),
  };
}

function parse(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function textsOf(value: unknown): readonly string[] | null {
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : null;
}

function platformsOf(value: unknown): readonly PlatformTag[] {
  if (!Array.isArray(value)) return [];
  return value.map((pair) => (textsOf(pair) ?? []).join('-')).filter(isPlatformTag);
}
