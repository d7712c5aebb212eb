import { z } from 'zod';
import { block, described, optionalText, shaped, text } from '../fields.js';
import { artifactList, VERSION_TEXT } from './schema-artifacts.js';
import { capsuleCapabilities } from './schema-capabilities.js';
import { inferenceBlock } from './schema-inference.js';
import {
  contextBlock,
  controlBlock,
  doorBlock,
  exportsBlock,
  lifecycleBlock,
  observabilityBlock,
  traceBlock,
} from './schema-session.js';

/** Keys of the artifact manifest: one file may be both, so the capsule's reader knows them and looks away. */
const artifactManifestKeys = [
  'runtime',
  'implementation',
  'execution',
  'requires_files',
  'description',
  'tags',
  'input_schema',
  'input',
  'output_schema',
  'upstream_auth',
  'inference_auth',
  'binding',
  'execution_mode',
  'commit_policy',
  'programs',
] as const;

type LookedAway = Record<(typeof artifactManifestKeys)[number], z.ZodOptional<z.ZodUnknown>>;

const lookedAway = Object.fromEntries(
  artifactManifestKeys.map((key) => [
    key,
    described('Belongs to an artifact’s own manifest; not read here.', z.unknown().optional()),
  ]),
) as LookedAway;

/**
 * Every key of a capsule manifest, in the order in which problems are reported. The order of keys is also the
 * order in which spelling suggestions are preferred.
 */
export const capsuleSchema = block({
  name: described('Name of the capsule.', text()),
  version: described('Version of the capsule.', shaped(VERSION_TEXT, text())),
  mur_version: described(
    'The version of `mur` the capsule was made for.',
    shaped({ anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] }, optionalText()),
  ),
  artifacts: described('What the capsule uses; the order is the order of hooks.', artifactList),
  capabilities: described(
    'The most that anything in the capsule is granted.',
    capsuleCapabilities.prefault({}),
  ),
  network: described('The door for other agents.', doorBlock.optional()),
  context: described('What is kept of a conversation.', contextBlock.prefault({})),
  observability: described('Telemetry and scoring.', observabilityBlock.prefault({})),
  trace: described('What the trace holds.', traceBlock.prefault({})),
  inference: described('The model; absent = a script capsule.', inferenceBlock.optional()),
  lifecycle: described('How tasks are taken.', lifecycleBlock.prefault({})),
  exports: described('What is shown to others.', exportsBlock.optional()),
  control: described('What may be changed while running.', controlBlock.optional()),
  ...lookedAway,
});

/** A capsule manifest as the schema leaves it: YAML names, defaults applied. */
export type CapsuleRecord = z.output<typeof capsuleSchema>;
