import { MurmurError } from '@murmur/errors';

/** Why an archive is refused. Stays inside the package: callers know which artifact it belongs to. */
export class ArchiveProblem extends Error {}

/** Names the artifact that a refused archive belongs to. */
export interface ArtifactLabel {
  readonly name: string;
  readonly version: string;
}

/** Turns an {@link ArchiveProblem} into `ArtifactArchive` (`E-IO-003`); leaves everything else as it is. */
export async function reportingArchive<T>(label: ArtifactLabel, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof ArchiveProblem)) throw error;
    const { name, version } = label;
    throw new MurmurError(
      { variant: 'ArtifactArchive', name, version, message: error.message },
      { cause: error.cause },
    );
  }
}
