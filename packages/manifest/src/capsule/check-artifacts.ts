import { MurmurError } from '@murmur/errors';
import type { KeyPath } from '../key-path.js';
import type { ArtifactEntry } from '../types.js';
import type { CheckInput } from './check.js';
import { endpointProblem } from './endpoint.js';

/** Judges each entry of `artifacts` by itself. Throws `E-MAN-003`, `E-CAP-018`. */
export function checkArtifacts(input: CheckInput): void {
  const seen = new Set<string>();
  input.manifest.artifacts.forEach((entry, index) => {
    const path = ['artifacts', index];
    if (seen.has(entry.name)) input.refuse([...path, 'name'], 'is declared twice');
    seen.add(entry.name);
    checkSource(input, entry, path);
    if (entry.runtime === 'skill') {
      for (const key of ['capabilities', 'config', 'gateway']) {
        if (input.writes([...path, key])) input.refuse([...path, key], 'is not accepted on a skill');
      }
    }
    if (entry.runtime !== 'hook' && input.writes([...path, 'on_overflow'])) {
      input.refuse([...path, 'on_overflow'], 'is accepted on a hook only');
    }
    checkCapabilities(input, entry, [...path, 'capabilities']);
    checkGateway(input, entry, [...path, 'gateway']);
  });
}

function checkSource({ refuse, writes }: CheckInput, entry: ArtifactEntry, path: KeyPath): void {
  if (entry.source === undefined && !writes([...path, 'version'])) {
    refuse([...path, 'version'], 'is missing', 'write the exact version');
  }
  if (entry.source !== undefined && !entry.localSource) {
    refuse([...path, 'source'], 'needs local_source: true on this entry');
  }
}

function checkCapabilities({ refuse, writes }: CheckInput, entry: ArtifactEntry, path: KeyPath): void {
  if (writes([...path, 'install'])) {
    refuse([...path, 'install'], 'belongs to the capabilities of the capsule');
  }
  if (entry.runtime === 'hook') {
    if (
      entry.capabilities?.filesystem?.records === true &&
      entry.capabilities.filesystem.scope !== undefined
    ) {
      refuse([...path, 'filesystem', 'records'], 'cannot stand beside scope: each names what `.` is');
    }
    return;
  }
  for (const key of ['task_io', 'conversation']) {
    if (writes([...path, key])) refuse([...path, key], 'is accepted on a hook only');
  }
  if (entry.capabilities?.filesystem?.records === true) {
    refuse([...path, 'filesystem', 'records'], 'is accepted on a hook only');
  }
}

function checkGateway({ refuse, writes }: CheckInput, entry: ArtifactEntry, path: KeyPath): void {
  const { gateway } = entry;
  if (gateway === undefined) return;
  const problem = endpointProblem(gateway.endpoint);
  if (problem !== null) refuse([...path, 'endpoint'], problem);
  if (gateway.keyless && writes([...path, 'api_key'])) {
    refuse([...path, 'api_key'], 'cannot stand beside keyless: true', 'keep one of the two');
  }
  if (!gateway.keyless && gateway.apiKey === undefined) {
    const { name } = entry;
    throw new MurmurError({ variant: 'GatewayWithoutCredential', name, endpoint: gateway.endpoint });
  }
}
