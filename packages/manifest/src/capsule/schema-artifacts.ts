import { z } from 'zod';
import { artifactNameProblem } from '../artifact-name.js';
import {
  block,
  choice,
  converted,
  described,
  flag,
  type JsonSchemaPart,
  keyNotes,
  listOf,
  mismatch,
  optionalText,
  rawText,
  shaped,
  textWhere,
} from '../fields.js';
import { isPathSegment } from '../paths.js';
import type { ArtifactRole } from '../types.js';
import { artifactCapabilities } from './schema-capabilities.js';

/** Editors read an unquoted `1.10` as a number; the reader takes it as it is written. */
export const VERSION_TEXT: JsonSchemaPart = {
  anyOf: [{ type: 'string', pattern: '\\S' }, { type: 'number' }],
};

const BARE_NAME = '[a-z0-9]([a-z0-9-]{0,98}[a-z0-9])?';

/** An artifact's name, bare or scoped. */
export function artifactName() {
  return z
    .unknown()
    .transform((value, context): string => {
      const problem =
        typeof value === 'string' && value.trim() !== ''
          ? artifactNameProblem(value)
          : mismatch('an artifact name', value);
      if (typeof value === 'string' && problem === null) return value;
      context.addIssue({ code: 'custom', message: problem ?? mismatch('an artifact name', value) });
      return z.NEVER;
    })
    .register(keyNotes, {
      kind: 'artifact name',
      json: { type: 'string', pattern: `^(${BARE_NAME}/)?${BARE_NAME}$` },
    });
}

const ROLES: readonly ArtifactRole[] = ['tool', 'driver', 'hook', 'skill'];

const role = converted<ArtifactRole>(
  'tool, driver, hook or skill',
  (value) => ROLES.find((name) => name === value),
  { type: 'string', enum: ROLES },
);

const gateway = block({
  endpoint: described('Base address that requests are sent to.', rawText()),
  api_key: described(`\`\${NAME}\`, or the key itself.`, optionalText()),
  keyless: described('`true` = requests carry no key.', flag().default(false)),
});

/** One entry of `artifacts`. */
const artifactEntry = block({
  name: described('Name of the artifact, bare or `scope/name`.', artifactName()),
  version: described(
    'Exact version; required unless `source` is set.',
    shaped(VERSION_TEXT, textWhere('a version usable as a directory name', isPathSegment)).optional(),
  ),
  runtime: described('What the artifact is for.', role.default('tool')),
  source: described('A local skill: path relative to the manifest.', optionalText()),
  local_source: described('Whether `source` may be used; absent = only for a skill.', flag().optional()),
  prompt_payload: described(
    'Whether the artifact may serve as system prompt; absent = only for a skill.',
    flag().optional(),
  ),
  capabilities: described(
    'What the artifact gets inside the ceiling; absent = the ceiling (a hook: nothing).',
    artifactCapabilities.optional(),
  ),
  config: described('Handed to the artifact as JSON.', z.unknown().optional()),
  gateway: described('Where its requests go, with a key it never sees.', gateway.optional()),
  on_overflow: described(
    'What a full queue of an asynchronous hook does.',
    choice(['drop', 'block']).default('drop'),
  ),
});

/** The whole list. */
export const artifactList = listOf(artifactEntry).default([]);
