import type { Beneath } from '@murmur/beneath';
import { bareNameProblem } from '@murmur/manifest';
import { isVersionSegment, setNames, variantOf } from './file-names.js';
import { readMeta } from './meta.js';
import { orNullWhenMissing } from './place.js';
import type { StoredArtifact } from './store.js';

const maxSidecarBytes = 64 * 1024;

/** Every variant with an archive and a digest, in `<name>/<version>` or `<scope>/<name>/<version>`. */
export async function listStore(store: Beneath): Promise<readonly StoredArtifact[]> {
  const found: StoredArtifact[] = [];
  for await (const { path, entry } of store.walk('.', { maxDepth: 4 })) {
    if (entry.kind !== 'file') continue;
    const segments = path.split('/');
    const file = segments.at(-1) ?? '';
    const version = segments.at(-2) ?? '';
    const owners = segments.slice(0, -2);
    const bareName = owners.at(-1) ?? '';
    if (owners.length < 1 || owners.length > 2 || owners.some((owner) => bareNameProblem(owner) !== null))
      continue;
    const variant = isVersionSegment(version) ? variantOf(file, bareName, version) : null;
    if (variant === null) continue;
    const name = owners.join('/');
    const directory = `${name}/${version}`;
    const names = setNames(name, version, variant.platform);
    const zip = await store.stat(`${directory}/${names.zip}`);
    const sha256 = await readText(store, `${directory}/${names.sha256}`);
    if (zip?.kind !== 'file' || sha256 === null) continue;
    const meta = readMeta(await readText(store, `${directory}/${names.meta}`), { name, version });
    found.push(
      Object.freeze({
        ...meta,
        platform: variant.platform,
        sha256: sha256.trim(),
        archiveBytes: zip.sizeBytes,
      }),
    );
  }
  return found.sort((a, b) => compare(sortKey(a), sortKey(b)));
}

async function readText(store: Beneath, path: string): Promise<string | null> {
  const bytes = await orNullWhenMissing(store.read(path, { maxBytes: maxSidecarBytes }));
  return bytes?.toString('utf8') ?? null;
}

/** NUL sorts before every character of a name, so `a` comes before `a-b`. */
function sortKey({ name, version, runtime, platform }: StoredArtifact): string {
  return [name, version, runtime, platform ?? ''].join('\0');
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
