import type { KeyPath } from '../key-path.js';
import type { ArtifactEntry, InferenceSettings } from '../types.js';
import type { CheckInput } from './check.js';

/** Judges `inference` for its transport, then the artifacts that it names. Throws `E-MAN-003`. */
export function checkInference(input: CheckInput): void {
  const { inference } = input.manifest;
  if (inference !== undefined) {
    checkTransport(input, inference);
    checkPrompts(input, inference);
    checkPromptArtifact(input, inference);
  }
  checkDriverEntries(input);
}

function checkTransport({ refuse, writes }: CheckInput, inference: InferenceSettings): void {
  if (inference.transport === 'http') {
    if (inference.model === undefined) refuse(['inference', 'model'], 'is missing', 'name the model');
    if (inference.command !== undefined) {
      refuse(['inference', 'command'], 'has a meaning under transport: process only');
    }
    return;
  }
  for (const key of ['max_tokens', 'tool_refresh', 'alternates']) {
    if (writes(['inference', key])) refuse(['inference', key], 'has a meaning under transport: http only');
  }
}

function checkPrompts({ refuse }: CheckInput, inference: InferenceSettings): void {
  const sources = [
    ['system_prompt', inference.systemPrompt],
    ['system_prompt_file', inference.systemPromptFile],
    ['system_prompt_artifact', inference.systemPromptArtifact],
  ] as const;
  const given = sources.filter(([, value]) => value !== undefined).map(([key]) => key);
  const [first, second] = given;
  if (first !== undefined && second !== undefined) {
    refuse(['inference', second], `cannot stand beside ${first}`, 'keep one source of the system prompt');
  }
  const { compaction } = inference;
  if (compaction?.systemPrompt !== undefined && compaction.systemPromptFile !== undefined) {
    refuse(
      ['inference', 'compaction', 'system_prompt_file'],
      'cannot stand beside system_prompt',
      'keep one of the two',
    );
  }
}

function checkPromptArtifact({ manifest, refuse }: CheckInput, inference: InferenceSettings): void {
  const name = inference.systemPromptArtifact;
  if (name === undefined) return;
  const path = ['inference', 'system_prompt_artifact'];
  const entry = manifest.artifacts.find((artifact) => artifact.name === name);
  if (entry === undefined) refuse(path, 'is not declared in artifacts');
  if (entry?.promptPayload === false)
    refuse(path, 'names an entry that may not serve as prompt', 'set prompt_payload: true on the entry');
}

function checkDriverEntries(input: CheckInput): void {
  const { manifest, refuse, writes } = input;
  const { inference } = manifest;
  const primary = inference?.driver?.artifact;
  const isProcess = inference?.transport === 'process';
  if (primary !== undefined) {
    const driverPath = [
      'inference',
      writes(['inference', 'driver', 'artifact']) ? 'driver' : 'provider',
      'artifact',
    ];
    const entry = manifest.artifacts.find((artifact) => artifact.name === primary);
    requireDriver(entry, driverPath, refuse);
  }
  const choices = new Set((inference?.alternates ?? []).map((choice) => choice.driver.artifact));
  manifest.artifacts.forEach((entry, index) => {
    if (entry.runtime !== 'driver') return;
    const path = ['artifacts', index];
    const isPrimary = entry.name === primary;
    for (const key of isProcess
      ? isPrimary
        ? ['gateway', 'capabilities', 'config']
        : ['gateway', 'capabilities']
      : []) {
      if (writes([...path, key]))
        refuse([...path, key], 'is not accepted on a driver under transport: process');
    }
    if (isProcess) return;
    if (isPrimary && entry.gateway === undefined) {
      refuse([...path, 'gateway'], `is missing: the driver '${entry.name}' needs one under transport: http`);
    }
    if (!isPrimary && !choices.has(entry.name) && entry.gateway !== undefined) {
      refuse([...path, 'gateway'], 'is accepted on a driver only when inference names it');
    }
  });
}

function requireDriver(entry: ArtifactEntry | undefined, path: KeyPath, refuse: CheckInput['refuse']): void {
  if (entry === undefined) refuse(path, 'is not declared in artifacts');
  if (entry?.runtime !== 'driver') refuse(path, 'names an entry that is not runtime: driver');
}

/** Judges the other drivers and models against artifacts and `control`. Throws `E-MAN-003`. */
export function checkAlternates({ manifest, refuse, writes }: CheckInput): void {
  const { inference } = manifest;
  const alternates = inference?.alternates ?? [];
  if (alternates.length === 0) return;
  const control = manifest.control;
  if (
    !control?.settings.includes('inference.driver') &&
    !control?.agentSettings.includes('inference.driver')
  ) {
    refuse(
      ['inference', 'alternates'],
      'can never be chosen',
      'list inference.driver in control.settings or control.agent_settings',
    );
  }
  const names = new Set<string>();
  const pairs = new Set([JSON.stringify([inference?.driver?.artifact, inference?.model])]);
  alternates.forEach((choice, index) => {
    const path = ['inference', 'alternates', index];
    if (names.has(choice.name)) refuse([...path, 'name'], 'is used twice');
    names.add(choice.name);
    const driverPath = [...path, 'driver', 'artifact'];
    if (writes([...path, 'driver', 'config'])) refuse([...path, 'driver', 'config'], 'is not accepted here');
    const entry = manifest.artifacts.find((artifact) => artifact.name === choice.driver.artifact);
    requireDriver(entry, driverPath, refuse);
    if (entry?.gateway === undefined) refuse(driverPath, 'names an entry without a gateway');
    const pair = JSON.stringify([choice.driver.artifact, choice.model]);
    if (pairs.has(pair)) refuse(path, 'repeats the driver and model of another choice');
    pairs.add(pair);
  });
}
