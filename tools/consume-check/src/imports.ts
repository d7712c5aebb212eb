import { readdir, readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import type { PackageManifest } from './packages.js';

const SPECIFIER = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)(?:'([^'\n]+)'|"([^"\n]+)")/g;

/** Packages that code or types mention in imports. Text inside strings may look like one: it is reported too. */
export function importedPackages(text: string): ReadonlySet<string> {
  const packages = new Set<string>();
  for (const match of text.matchAll(SPECIFIER)) {
    const specifier = match[1] ?? match[2] ?? '';
    if (!/^(?:@[\w.-]+\/)?[a-z][\w.-]*(?:\/|$)/.test(specifier)) continue;
    const parts = specifier.split('/');
    const name = specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
    if (!builtinModules.includes(name)) packages.add(name);
  }
  return packages;
}

/**
 * Imports that an installed package uses without declaring them. One shared install would hide them: another
 * package's dependency lies within reach.
 */
export async function undeclaredImports(
  directory: string,
  manifest: PackageManifest,
): Promise<readonly string[]> {
  const declared = new Set([
    manifest.name,
    ...Object.keys(manifest.dependencies ?? {}),
    ...Object.keys(manifest.optionalDependencies ?? {}),
    ...Object.keys(manifest.peerDependencies ?? {}),
  ]);
  const missing = new Set<string>();
  for (const entry of await readdir(directory, { recursive: true })) {
    if (entry.includes('node_modules') || !/\.(?:[mc]?js|d\.[mc]?ts)$/.test(entry)) continue;
    for (const name of importedPackages(await readFile(join(directory, entry), 'utf8'))) {
      if (!declared.has(name)) missing.add(`${name} (in ${entry})`);
    }
  }
  return [...missing].sort();
}
