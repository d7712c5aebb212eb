import { camelKeys } from '../camel-keys.js';
import { manifestDefaults } from '../defaults.js';
import type { ArtifactEntry, CapsuleManifest, InferenceSettings } from '../types.js';
import { type CapsuleRecord, capsuleSchema } from './schema.js';

type Draft = ReturnType<typeof draft>;

/** Turns a parsed record into the manifest: names in camel case, and the defaults that depend on other keys. */
export function assembleManifest(record: CapsuleRecord): CapsuleManifest {
  const {
    name,
    version,
    murVersion,
    artifacts,
    capabilities,
    network,
    context,
    inference,
    lifecycle,
    ...rest
  } = draft(record);
  const { exports: exported, control, observability, trace } = rest;
  const { eval: evaluation, otelEndpoint } = observability;
  return {
    name,
    version,
    murVersion,
    artifacts: artifacts.map(assembleEntry),
    capabilities,
    network,
    context,
    inference: inference === undefined ? undefined : assembleInference(inference),
    lifecycle,
    exports: exported,
    control,
    observability: {
      otelEndpoint,
      eval:
        evaluation === undefined
          ? undefined
          : {
              ...evaluation,
              scorers: evaluation.scorers.map((scorer) => ({ ...scorer, name: scorer.name ?? scorer.type })),
            },
    },
    trace: {
      capture:
        trace.capture ?? (trace.includeToolOutput === true ? 'content' : manifestDefaults.traceCapture),
      retain: trace.retain,
    },
  };
}

function draft(record: CapsuleRecord) {
  return camelKeys(capsuleSchema, record);
}

function assembleEntry(entry: Draft['artifacts'][number]): ArtifactEntry {
  const isSkill = entry.runtime === 'skill';
  const { install: _refused, ...capabilities } = entry.capabilities ?? {};
  return {
    ...entry,
    version: entry.source === undefined ? (entry.version ?? '') : 'local',
    localSource: entry.localSource ?? isSkill,
    promptPayload: entry.promptPayload ?? isSkill,
    capabilities: entry.capabilities === undefined ? undefined : capabilities,
    config: entry.config as ArtifactEntry['config'],
  };
}

function assembleInference(settings: NonNullable<Draft['inference']>): InferenceSettings {
  const { provider, driver, maxTokens, ...rest } = settings;
  const isHttp = rest.transport === 'http';
  return {
    ...rest,
    driver: driver?.artifact === undefined ? (provider ?? driver) : driver,
    maxTokens: maxTokens ?? (isHttp ? manifestDefaults.inference.maxTokens : undefined),
    alternates: rest.alternates.map(({ name, model, driver: { artifact } }) => ({
      name,
      model,
      driver: { artifact },
    })),
  };
}
