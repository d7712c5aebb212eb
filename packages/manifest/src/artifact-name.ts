import { RESERVED_TOOL_NAMES } from '@murmur/errors';

/** An artifact's name in parts. */
export interface ArtifactName {
  /** `null` for a bare name. */
  readonly scope: string | null;
  readonly name: string;
}

const MAX_NAME_LENGTH = 100;

/**
 * What is wrong with a bare artifact name, or `null`: lowercase letters, digits and inner hyphens, 1 to 100
 * of them. Spec: manifest, scalars.
 */
export function bareNameProblem(text: string): string | null {
  if (text === '') return 'is empty';
  if (text.length > MAX_NAME_LENGTH) return `is longer than ${MAX_NAME_LENGTH} characters`;
  const stranger = /[^a-z0-9-]/u.exec(text);
  if (stranger !== null) {
    return `holds ${JSON.stringify(stranger[0])}: only lowercase letters, digits and hyphens are allowed`;
  }
  if (text.startsWith('-') || text.endsWith('-')) return 'starts or ends with a hyphen';
  return null;
}

/** What is wrong with an artifact name, bare or `scope/name`, or `null`. */
export function artifactNameProblem(text: string): string | null {
  const slash = text.indexOf('/');
  if (slash === -1) return bareNameProblem(text);
  const scopeProblem = bareNameProblem(text.slice(0, slash));
  if (scopeProblem !== null) return `has a scope that ${scopeProblem}`;
  const nameProblem = bareNameProblem(text.slice(slash + 1));
  return nameProblem === null ? null : `has a name after its scope that ${nameProblem}`;
}

/** Splits an artifact name, bare or `scope/name`; `null` when it is neither. */
export function parseArtifactName(text: string): ArtifactName | null {
  if (artifactNameProblem(text) !== null) return null;
  const slash = text.indexOf('/');
  return slash === -1
    ? { scope: null, name: text }
    : { scope: text.slice(0, slash), name: text.slice(slash + 1) };
}

/** Names that the runtime gives to its own tools; no artifact may carry one. Spec: manifest, reserved names. */
export const reservedToolNames: readonly string[] = RESERVED_TOOL_NAMES;

/** Version texts that mean a channel and therefore cannot be published. */
export const reservedVersions: readonly string[] = Object.freeze(['latest', 'stable', 'edge']);
