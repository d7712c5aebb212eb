import { manifestDefaults } from '../defaults.js';
import {
  block,
  choice,
  converted,
  described,
  flag,
  fraction,
  listOf,
  named,
  optionalText,
  refusedKey,
  text,
  textWhere,
  wholeNumber,
} from '../fields.js';
import type { JsonObject } from '../types.js';
import { artifactName } from './schema-artifacts.js';

const defaults = manifestDefaults.inference;

const driverConfig = converted<{ readonly json: JsonObject }>(
  'a mapping',
  (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { json: value as JsonObject }
      : undefined,
  { type: 'object' },
);

const driver = named(
  'driver',
  block({
    artifact: described('Name of the `runtime: driver` entry.', artifactName().optional()),
    config: described('Handed to the driver as JSON.', driverConfig.optional()),
  }),
);

const alternate = block({
  name: described(
    'Name of the choice.',
    textWhere(
      'a lowercase name of at most 63 letters, digits and hyphens that is not `primary`',
      (value) => /^[a-z][a-z0-9-]{0,62}$/.test(value) && value !== 'primary',
      '^(?!primary$)[a-z][a-z0-9-]{0,62}$',
    ),
  ),
  model: described('Its model.', text()),
  driver: described(
    'Its driver.',
    block({
      artifact: described('Name of a `runtime: driver` entry.', artifactName()),
      config: described('Refused: a choice has no configuration of its own.', refusedKey()),
    }),
  ),
});

const compaction = block({
  threshold: described(
    'Share of `context.max_tokens` that starts it.',
    fraction({ aboveZero: true }).default(manifestDefaults.compactionThreshold),
  ),
  model: described('Model that summarises; absent = the session’s own.', optionalText()),
  system_prompt: described('Prompt of the summary, verbatim.', optionalText()),
  system_prompt_file: described('The same from a file, relative to the manifest.', optionalText()),
  dump_summaries: described('Whether summaries are written to the records.', flag().default(false)),
});

/** `inference`. */
export const inferenceBlock = block({
  transport: described(
    '`process` drives a harness, `http` a model’s interface.',
    choice(['http', 'process']).default(defaults.transport),
  ),
  model: described('The model; under `process` absent = the harness’s default.', optionalText()),
  driver: described('The driver.', driver.optional()),
  provider: described('Older spelling of `driver`, used when that is absent.', driver.optional()),
  command: described(
    'Program of the harness: a name looked up on PATH or a path; absent = the driver’s answer. Only under `process`.',
    optionalText(),
  ),
  max_turns: described('Turns of one task.', wholeNumber(1).default(defaults.maxTurns)),
  max_tokens: described(
    'Output of one turn, 8192 when absent. Only under `http`.',
    wholeNumber(1).optional(),
  ),
  max_session_tokens: described('Tokens of a whole session.', wholeNumber(1).optional()),
  tool_refresh: described(
    'When a pulled artifact is offered. Only under `http`.',
    choice(['compaction', 'immediate']).default(defaults.toolRefresh),
  ),
  alternates: described(
    'Other drivers and models to switch to. Only under `http`.',
    listOf(alternate).default([]),
  ),
  system_prompt: described('Instructions, trimmed.', optionalText({ trim: true })),
  system_prompt_file: described('Instructions from a file, relative to the manifest.', optionalText()),
  system_prompt_artifact: described('Instructions from a declared skill.', artifactName().optional()),
  compaction: described('How a long conversation is shortened.', compaction.optional()),
});
