import {
  createLock,
  decompressionLimitBytes,
  openArtifact,
  openGlobalStore,
  openProjectStore,
  operatorPin,
  readLock,
  resolveLocked,
} from '@murmur/artifacts';
import { MurmurError } from '@murmur/errors';
import { projectLayout } from '@murmur/manifest';
import type { Project } from './read-inputs.js';

/** The driver of a capsule: the bytes of its component, vouched for by store and lock. */
export interface DriverArtifact {
  readonly name: string;
  readonly version: string;
  readonly bytes: Uint8Array;
}

/** The artifact that `inference` names as its driver. @throws MurmurError DriverNotConfigured */
export function configuredDriver(project: Project): string {
  const name = project.parsed.manifest.inference?.driver?.artifact;
  if (name === undefined || name.trim() === '') throw new MurmurError({ variant: 'DriverNotConfigured' });
  return name;
}

/**
 * Checks every declared artifact against the stores and the lock, and returns the component of the inference driver.
 * A missing lock is made, with what was found.
 * @throws MurmurError E-RUN-003, E-RUN-008, E-RUN-043, E-REG-001, E-REG-002, ArtifactArchive
 */
export async function resolveDriverArtifact(
  project: Project,
  driverName: string,
  home: string,
  env: Readonly<Record<string, string>>,
): Promise<DriverArtifact> {
  const { manifest } = project.parsed;
  const lock = await readLock(project.directory);
  const locked = await resolveLocked({
    artifacts: manifest.artifacts,
    lock,
    lockFile: projectLayout(project.directory).lock,
    stores: [openProjectStore(project.directory), openGlobalStore(home)],
  });
  const driver = locked.find(({ entry }) => entry.name === driverName);
  if (driver === undefined) throw new MurmurError({ variant: 'DriverNotConfigured' });
  const { name, version } = driver.entry;
  const opened = await openArtifact(driver.resolved.bytes, {
    name,
    version,
    maxDecompressedBytes: decompressionLimitBytes(env),
  });
  if (lock === null)
    await createLock(
      project.directory,
      locked.map(({ resolved }) => operatorPin(resolved)),
    );
  return { name, version, bytes: opened.payload };
}
