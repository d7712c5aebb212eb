import { keyRefusal, type SourceText, valueAt } from '../refuse.js';
import type { JsonValue } from '../types.js';

/** Refuses keys of older manifests that would be dangerous to ignore. Throws `E-MAN-003`. */
export function refuseRemovedKeys(source: SourceText): void {
  if (has(source.document, 'config')) {
    throw keyRefusal(
      source,
      ['config'],
      'is not accepted at the top level',
      'move it to the entry of the artifact it is for',
    );
  }
  if (has(source.document, 'registry')) {
    const remedy = 'set registry.default or registry.sources in ~/.murmur/config.yaml';
    throw keyRefusal(source, ['registry'], 'was removed from the manifest', remedy);
  }
  const inference = valueAt(source.document, ['inference']);
  for (const [key, replacement] of [
    ['endpoint', 'gateway.endpoint'],
    ['api_key', 'gateway.api_key'],
  ] as const) {
    if (inference === undefined || !has(inference, key)) continue;
    const driver =
      valueAt(source.document, ['inference', 'driver', 'artifact']) ??
      valueAt(source.document, ['inference', 'provider', 'artifact']);
    const entry = typeof driver === 'string' ? `the entry '${driver}'` : "the driver's entry";
    throw keyRefusal(
      source,
      ['inference', key],
      'was removed',
      `write it as ${replacement} on ${entry} of artifacts`,
    );
  }
}

function has(value: JsonValue, key: string): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, key);
}
