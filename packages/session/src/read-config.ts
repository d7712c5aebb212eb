import { readNamedFileIfThere } from '@murmur/beneath';
import { type ContainmentClass, MurmurError, type WarningCondition } from '@murmur/errors';
import { layout, mergeConfig, parseConfig, projectLayout } from '@murmur/manifest';

/** What the configuration files say about a run. */
export interface RunConfig {
  readonly containment: ContainmentClass | null;
  readonly warnings: readonly WarningCondition[];
}

/**
 * Reads the global and the project configuration; an absent file says nothing. A key that asks for what this build
 * does not serve refuses the run, one that restricts and does not bind yet warns, as in the manifest.
 * @throws MurmurError E-IO-002, E-IO-003, E-MAN-002, E-MAN-003, FeatureNotServed
 */
export async function readRunConfig(home: string, cwd: string): Promise<RunConfig> {
  const globalFile = layout(home).config;
  const projectFile = projectLayout(cwd).config;
  const global = await readLayer(globalFile, 'global');
  // In the home directory itself both names are one file.
  const project = projectFile === globalFile ? null : await readLayer(projectFile, 'project');
  const layers = [global, project].flatMap((layer) => layer ?? []);
  for (const { file, reading } of layers) {
    if (reading.unserved.length > 0)
      throw new MurmurError({ variant: 'FeatureNotServed', file, keys: reading.unserved });
  }
  const merged = mergeConfig(global?.reading.config ?? null, project?.reading.config ?? null);
  return {
    containment: merged.containment ?? null,
    warnings: layers.flatMap(({ file, reading }): WarningCondition[] => [
      ...reading.ignored.map(({ key, line, column, reason }) => ({
        code: 'W-SEC-902' as const,
        file,
        key,
        line,
        column,
        reason,
      })),
      ...reading.unenforced.map(({ key }) => ({ code: 'W-SEC-901' as const, key })),
    ]),
  };
}

async function readLayer(
  file: string,
  layer: 'global' | 'project',
): Promise<{ file: string; reading: ReturnType<typeof parseConfig> } | null> {
  const bytes = await readNamedFileIfThere(file, { what: 'configuration' });
  if (bytes === null) return null;
  return { file, reading: parseConfig(bytes, { file, layer }) };
}
