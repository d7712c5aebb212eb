import { openGlobalStore, openProjectStore, type StoredArtifact } from '@murmur/artifacts';
import { stripToOneLine } from '@murmur/errors';
import type { Host } from '../host.js';
import { findProject, noProject, requireHome } from './project.js';

interface Row {
  readonly scope: 'project' | 'global';
  readonly artifact: StoredArtifact;
}

/** `mur list`: what is installed, as a table or as JSON. */
export async function listCommand(
  flags: { global?: boolean; all?: boolean; json?: boolean },
  host: Host,
): Promise<number> {
  const rows: Row[] = [];
  if (flags.global !== true) {
    const project = await findProject(host.cwd);
    if (project === null && flags.all !== true) throw noProject(host.cwd);
    if (project !== null)
      rows.push(
        ...(await openProjectStore(project.root).list()).map(
          (artifact): Row => ({ scope: 'project', artifact }),
        ),
      );
  }
  if (flags.global === true || flags.all === true) {
    rows.push(
      ...(await openGlobalStore(requireHome(host.home)).list()).map(
        (artifact): Row => ({ scope: 'global', artifact }),
      ),
    );
  }
  if (flags.json === true)
    process.stdout.write(
      `${JSON.stringify(
        rows.map(({ scope, artifact }) => ({ scope, ...artifact })),
        null,
        2,
      )}\n`,
    );
  else if (rows.length === 0) process.stdout.write('No artifacts found.\n');
  else process.stdout.write(table(rows, flags.all === true));
  return 0;
}

function table(rows: readonly Row[], withScope: boolean): string {
  const header = [...(withScope ? ['SCOPE'] : []), 'NAME', 'VERSION', 'RUNTIME', 'PLATFORMS'];
  const cells = rows.map(({ scope, artifact }) =>
    [
      ...(withScope ? [scope] : []),
      artifact.name,
      artifact.version,
      artifact.artifactRuntime,
      artifact.platform ?? '—',
    ].map(stripToOneLine),
  );
  const widths = header.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  return [header, ...cells]
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
