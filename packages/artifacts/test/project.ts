import fs from 'node:fs';
import path from 'node:path';
import { type ArtifactEntry, type ArtifactRole, parseCapsuleManifest } from '@murmur/manifest';

/** Writes files below a directory, making what is missing. */
export function writeTree(directory: string, files: Readonly<Record<string, string | Buffer>>): string {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(directory, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
  }
  return directory;
}

/** An artifact directory with one component. */
export function artifactDirectory(
  directory: string,
  options: { name?: string; version?: string; role?: ArtifactRole; content?: string; extra?: string } = {},
): string {
  const { name = 'thing', version = '1.0.0', role = 'driver', content = 'component', extra = '' } = options;
  const files = role === 'skill' ? 'skill.md' : 'thing.wasm';
  return writeTree(directory, {
    'murmur.yaml': `name: ${name}\nversion: "${version}"\nruntime: ${role}\nrequires_files: [${files}]\n${extra}`,
    [files]: content,
  });
}

/** Entries of a capsule manifest as they are parsed. */
export function entries(yaml: string): readonly ArtifactEntry[] {
  const text = `name: capsule\nversion: "1"\nartifacts:\n${yaml}`;
  return parseCapsuleManifest(text, { file: 'murmur.yaml' }).manifest.artifacts;
}

/** One plain entry. */
export function entry(name: string, version: string, role: ArtifactRole = 'driver'): ArtifactEntry {
  const [parsed] = entries(`  - name: ${name}\n    version: "${version}"\n    runtime: ${role}\n`);
  if (parsed === undefined) throw new Error('no entry was parsed');
  return parsed;
}
