import type { Pin, PlatformTag } from '@murmur/manifest';

/** An operator's pin of some bytes: for one platform, or for every host. */
export function operatorPin(artifact: {
  readonly name: string;
  readonly version: string;
  readonly platform: PlatformTag | null;
  readonly sha256: string;
}): Pin {
  const { name, version, platform, sha256 } = artifact;
  const digest = platform === null ? { any: sha256 } : { platform, digest: sha256 };
  return { name, version, sha256: digest, by: 'operator' };
}
