import { isPathSegment, isPlatformTag, type PlatformTag, parseArtifactName } from '@murmur/manifest';

/** The three files of one installed variant. */
export interface SetNames {
  readonly zip: string;
  readonly sha256: string;
  readonly meta: string;
}

/**
 * Directory of a version below a store's root, or null when the name or the version cannot be one: such an
 * artifact cannot be in a store.
 */
export function versionDirectory(name: string, version: string): string | null {
  if (parseArtifactName(name) === null || !isVersionSegment(version)) return null;
  return `${name}/${version}`;
}

/** Whether a version can be part of a file name everywhere. */
export function isVersionSegment(version: string): boolean {
  return isPathSegment(version) && version.length <= 100 && !/[\\:*?"<>|]|[. ]$/.test(version);
}

/** File names of a variant; `platform` null for what runs everywhere. */
export function setNames(name: string, version: string, platform: PlatformTag | null): SetNames {
  const bare = parseArtifactName(name)?.name ?? name;
  const stem = platform === null ? `${bare}-${version}` : `${bare}-${version}-${platform}`;
  return { zip: `${stem}.mur.zip`, sha256: `${stem}.sha256`, meta: `${stem}.meta.json` };
}

/** Where a member of a set waits while its successor is put in place. */
export function asideName(member: string): string {
  return `.aside-${member}`;
}

/** The variant that a digest's file name stands for, in the directory of a name and version. */
export function variantOf(
  file: string,
  bareName: string,
  version: string,
): { readonly platform: PlatformTag | null } | null {
  const stem = `${bareName}-${version}`;
  if (file === `${stem}.sha256`) return { platform: null };
  if (!file.startsWith(`${stem}-`) || !file.endsWith('.sha256')) return null;
  const platform = file.slice(stem.length + 1, -'.sha256'.length);
  return isPlatformTag(platform) ? { platform } : null;
}
