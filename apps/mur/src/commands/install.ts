import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  type AdoptedPin,
  installDeclared,
  installLocal,
  openGlobalStore,
  openProjectStore,
} from '@murmur/artifacts';
import { readNames } from '@murmur/components';
import { MurmurError, renderError, renderWarning } from '@murmur/errors';
import { precompileDriver } from '@murmur/session';
import { childPrograms } from '../child-programs.js';
import type { Host } from '../host.js';
import { linesOf } from '../terminal/lines.js';
import { startProgress } from '../terminal/progress.js';
import { type FoundProject, findProject, noProject, requireHome } from './project.js';

/** `mur install`: files an artifact from disk, or pins everything the manifest declares. */
export async function installCommand(
  reference: string | undefined,
  flags: { global?: boolean },
  host: Host,
): Promise<number> {
  const project = flags.global === true ? null : await findProject(host.cwd);
  if (reference !== undefined) return await installReference(reference, flags.global === true, project, host);
  if (project === null) throw noProject(host.cwd);
  return await installManifest(project, host);
}

async function installReference(
  reference: string,
  toGlobal: boolean,
  project: FoundProject | null,
  host: Host,
): Promise<number> {
  if (!toGlobal && project === null) throw noProject(host.cwd);
  const store = project === null ? openGlobalStore(requireHome(host.home)) : openProjectStore(project.root);
  const ref = path.resolve(host.cwd, reference);
  if (COORDINATE.test(reference) && !existsSync(ref)) throw noRegistry(ref);
  const installed = await installLocal({
    ref,
    store,
    project,
    env: host.env,
    readInterfaces(component) {
      const { kind, exports, imports } = readNames(component);
      return kind === 'component' ? { exports, imports } : null;
    },
  });
  if (installed.artifact.role === 'driver' && host.home !== null) {
    const progress = startProgress(linesOf(process.stderr));
    progress.show(`compiling ${installed.name}`);
    await precompileDriver(installed.artifact.payload, host.home, childPrograms());
    progress.clear();
  }
  for (const warning of installed.warnings) process.stderr.write(`${renderWarning(warning)}\n`);
  process.stdout.write(`Installed ${installed.name}@${installed.version} → ${installed.file}\n`);
  if (project !== null && !installed.locked) {
    process.stderr.write(
      `not pinned: ${path.join(project.root, 'murmur.yaml')} does not declare ${installed.name}@${installed.version} under artifacts\n`,
    );
  }
  sayAdopted(installed.adopted);
  return 0;
}

/** `name@version`, `scope/name@version`: an artifact by its name rather than by its place. */
const COORDINATE = /^[^/@\s]+(?:\/[^/@\s]+)?@[^/@\s]+$/;

/** Remedies ask for artifacts by name; until registries are served, what is needed is the file. */
function noRegistry(file: string): MurmurError {
  return new MurmurError({
    variant: null,
    code: 'E-IO-001',
    what: 'artifact file (this release installs from a .mur.zip or a directory, not by name)',
    path: file,
  });
}

async function installManifest(project: FoundProject, host: Host): Promise<number> {
  const stores = [
    openProjectStore(project.root),
    ...(host.home === null ? [] : [openGlobalStore(host.home)]),
  ];
  const { installed, failed } = await installDeclared({ project, stores });
  if (installed.length + failed.length === 0) process.stdout.write('No artifacts in manifest.\n');
  for (const { name, version, file, adopted } of installed) {
    process.stdout.write(`Installed ${name}@${version} from ${file}\n`);
    sayAdopted(adopted);
  }
  if (failed.length === 0) return 0;
  process.stderr.write(
    `${failed.length} of ${installed.length + failed.length} artifact(s) failed to install:\n`,
  );
  for (const { error } of failed)
    process.stderr.write(`${renderError(error.diagnostic).replace(/^/gm, '  ')}\n`);
  return 1;
}

function sayAdopted(adopted: AdoptedPin | null): void {
  if (adopted === null) return;
  process.stdout.write(
    `Adopted ${adopted.name}@${adopted.version} as operator-declared (it was pulled at runtime by session ${adopted.session})\n`,
  );
}
