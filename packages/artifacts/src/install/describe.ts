import type { OpenedArtifact } from '../open-artifact.js';
import type { ArtifactMeta, ReadInterfaces } from '../store/meta.js';

/** What a store records about an artifact; a component that cannot be read has no interfaces recorded. */
export async function describe(
  { manifest, payloadKind, payload }: OpenedArtifact,
  readInterfaces: ReadInterfaces,
): Promise<ArtifactMeta> {
  const contracts = payloadKind === 'wasm' ? await readInterfaces(payload) : null;
  return {
    name: manifest.name,
    version: manifest.version,
    runtime: payloadKind,
    artifactRuntime: manifest.runtime,
    platforms: [],
    description: manifest.description ?? null,
    tags: manifest.tags,
    ...(contracts === null ? {} : { witContracts: contracts }),
  };
}
