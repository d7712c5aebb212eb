/** A host that native artifacts are built for. Spec: manifest, scalars. */
export type PlatformTag = 'darwin-aarch64' | 'darwin-x86_64' | 'linux-aarch64' | 'linux-x86_64';

const TAGS: Readonly<Record<string, PlatformTag>> = {
  'darwin/arm64': 'darwin-aarch64',
  'darwin/x64': 'darwin-x86_64',
  'linux/arm64': 'linux-aarch64',
  'linux/x64': 'linux-x86_64',
};

/** The tag of a host in Node's words (`process.platform`, `process.arch`); `unknown` for any other. */
export function platformTag(host: { platform: string; arch: string } = process): PlatformTag | 'unknown' {
  return TAGS[`${host.platform}/${host.arch}`] ?? 'unknown';
}

/** Whether a text is one of the four tags. */
export function isPlatformTag(text: string): text is PlatformTag {
  return (Object.values(TAGS) as string[]).includes(text);
}
