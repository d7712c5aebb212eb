import { errorEntry } from '../define.js';
import { oneOf, prose, text } from '../fields.js';
import { coordinate, installCommand } from '../phrase.js';

/** Resolving artifacts and holding them against `murmur.lock`. */
export const artifactErrors = [
  errorEntry({
    variant: 'ArtifactNotFound',
    code: 'E-REG-001',
    stage: 'staging-before-workdir',
    fields: { name: text, version: text },
    summary: 'No source holds the artifact at this version.',
    message: (f) => `no registry holds ${coordinate(f)}`,
    remedy: (f) => `publish ${coordinate(f)} first, or correct the registries that the configuration names`,
    explanation:
      'Staging asked for the exact version the manifest declares and every source answered that it has none. ' +
      'A source that did not answer at all is E-REG-006 instead. Check the spelling and the version, build and ' +
      'install the artifact locally, or point the configuration at the registry that has it.',
  }),
  errorEntry({
    variant: 'ArtifactIntegrityFailed',
    code: 'E-REG-002',
    stage: 'staging-before-workdir',
    fields: { name: text, version: text },
    summary: 'The installed bytes are not the bytes that were recorded.',
    message: (f) => `${coordinate(f)} failed its integrity check`,
    remedy: (f) =>
      `the bytes on disk disagree with what was recorded: install its archive again ('${installCommand(f)}'), republish it, ` +
      'or delete its entry from murmur.lock if the change was meant',
    explanation:
      'The sha256 of the resolved archive differs from the one noted at installation or from the one murmur.lock ' +
      'pins for this platform. Nothing of the artifact was used. The digests themselves are not part of the message; ' +
      'they stand in the lock and beside the installed archive.',
  }),
  errorEntry({
    variant: 'LockMissingEntry',
    code: 'E-RUN-003',
    stage: 'staging-before-workdir',
    fields: { name: text },
    summary: 'A declared artifact has no entry in murmur.lock.',
    message: (f) => `murmur.lock has no entry for '${f.name}'`,
    remedy: () => "run 'mur install': it pins what murmur.yaml declares and the stores hold",
    explanation:
      'Where a lock is in force, every artifact that comes out of a store must be pinned in it. Installing the ' +
      'declared version writes the pin. Skills with a local source are exempt.',
  }),
  errorEntry({
    variant: 'LockVersionMismatch',
    code: 'E-RUN-003',
    stage: 'staging-before-workdir',
    fields: { name: text, requested: text, pinned: text },
    summary: 'murmur.lock pins another version than the manifest declares.',
    message: (f) => `murmur.lock pins '${f.name}' at ${f.pinned}, and murmur.yaml asks for ${f.requested}`,
    remedy: (f) =>
      `declare ${f.pinned} in murmur.yaml, or drop the entry from murmur.lock and run 'mur install'`,
    explanation:
      'The version in the manifest and the pinned one drifted apart. It is found before any hash is compared, so ' +
      'one artifact that drifted is reported once. Neither file is taken to be right: say which one is.',
  }),
  errorEntry({
    variant: 'RuntimeOriginNotDeclarable',
    code: 'E-RUN-043',
    stage: 'staging-before-workdir',
    fields: {
      name: text,
      version: text,
      session: text,
      declared_as: oneOf('runtime: hook', 'runtime: driver', 'gateway:', 'inference.system_prompt_artifact'),
    },
    summary: 'An artifact that a capsule pulled itself holds a role only the operator may give.',
    message: (f) =>
      `${coordinate(f)} was pinned by session ${f.session} and not by an operator, so it cannot be used as '${f.declared_as}'`,
    remedy: (f) =>
      "adopt the pin with 'mur install', or " +
      (f.declared_as === 'inference.system_prompt_artifact'
        ? 'remove inference.system_prompt_artifact from under inference'
        : `remove '${f.declared_as}' from the artifact's entry`),
    explanation:
      'A running capsule may pull artifacts, and each such pin remembers the session that made it. Drivers, hooks, ' +
      'holders of a gateway and system prompts decide what a capsule may do next time, so only pins that an operator ' +
      'made may fill these roles. Installing the artifact by hand turns the pin into an operator pin.',
  }),
  errorEntry({
    variant: 'ArtifactArchive',
    code: 'E-IO-003',
    stage: 'staging-before-workdir',
    fields: { name: text, version: text, message: prose },
    summary: 'The archive of an artifact cannot be used.',
    message: (f) => `the archive of ${coordinate(f)} cannot be used: ${f.message}`,
    remedy: null,
    explanation:
      'The .mur.zip is no readable archive, lacks the part that its kind needs, holds more than one candidate for ' +
      "it, or ran into a guard of extraction (links, absolute paths, names that clash, too many bytes). Rebuild it with 'mur build' and install it again.",
  }),
] as const;
