import { MurmurError } from '@murmur/errors';
import { camelKeys } from '../camel-keys.js';
import { deepFreeze } from '../deep-freeze.js';
import { dottedKey, type KeyPath } from '../key-path.js';
import { keyUses, nearestPosition } from '../key-uses.js';
import { parseOptions } from '../parse-options.js';
import { referenceName } from '../reference.js';
import type { JsonObject, JsonValue, Positions } from '../types.js';
import { unknownKeys } from '../unknown-keys.js';
import { readYaml } from '../yaml/read.js';
import { type ConfigRecord, configSchema, configStates } from './schema.js';
import type { Config, ConfigLayerName, ConfigReading, IgnoredKey } from './types.js';

/**
 * Reads a configuration file. In a project's file, keys that only the global one may hold are left out and
 * named. Throws `E-IO-003` for a text that cannot be read or a value against a rule; secrets are never quoted.
 * Spec: manifest, configuration.
 */
export function parseConfig(
  input: string | Uint8Array,
  options: { file: string; layer: ConfigLayerName },
): ConfigReading {
  const { file, layer } = options;
  const reading = readYaml(input);
  if (!reading.ok) {
    const { line, column, reason, path } = reading.problem;
    throw refusal(file, line === null ? null : { line, column: column ?? 1 }, path, reason);
  }
  const { positions } = reading.content;
  const written = reading.content.value ?? {};
  if (typeof written !== 'object' || Array.isArray(written)) {
    throw refusal(file, { line: 1, column: 1 }, null, 'the file must be a mapping of keys');
  }
  const { document, ignored } =
    layer === 'project'
      ? withoutGlobalKeys(written as JsonObject, positions)
      : { document: written, ignored: [] };
  const parsed = configSchema.safeParse(document, parseOptions);
  const issue = parsed.error?.issues[0];
  if (issue !== undefined || !parsed.success) {
    const path = (issue?.path ?? []).filter((step) => typeof step !== 'symbol');
    throw refusal(file, nearestPosition(positions, path), path, issue?.message ?? 'cannot be read');
  }
  const unknown = unknownKeys(configSchema, document).map(({ key, block, suggestion }) => {
    const reason = suggestion === null ? 'is not known' : `is not known; did you mean '${suggestion}'?`;
    return ignoredKey(positions, [...block, key], reason);
  });
  const uses = keyUses({
    schema: configSchema,
    states: configStates,
    document,
    parsed: parsed.data,
    positions,
  });
  return deepFreeze({ config: assemble(parsed.data), ignored: [...ignored, ...unknown], ...uses, positions });
}

function assemble(record: ConfigRecord): Config {
  const config = camelKeys(configSchema, record);
  const filled = Object.entries(config.credentials).filter(([, value]) => value.trim() !== '');
  return { ...config, credentials: Object.fromEntries(filled) };
}

/** Takes out of a project's file what could hand the operator's keys or directories to whoever wrote it. */
function withoutGlobalKeys(
  written: JsonObject,
  positions: Positions,
): { document: JsonObject; ignored: readonly IgnoredKey[] } {
  const ignored: IgnoredKey[] = [];
  const document: Record<string, JsonValue> = { ...written };
  for (const key of ['credentials', 'host_paths']) {
    if (!Object.hasOwn(document, key)) continue;
    delete document[key];
    ignored.push(ignoredKey(positions, [key], 'may stand in the global file only'));
  }
  const { inference } = document;
  if (typeof inference === 'object' && inference !== null && !Array.isArray(inference)) {
    const { api_key: apiKey, ...rest } = inference as JsonObject;
    if (apiKey !== undefined) {
      document.inference = rest;
      const literal = typeof apiKey === 'string' && referenceName(apiKey) === null;
      const reason = `may stand in the global file only${literal ? ', and this one holds the key itself' : ''}`;
      ignored.push(ignoredKey(positions, ['inference', 'api_key'], reason));
    }
  }
  return { document, ignored };
}

function ignoredKey(positions: Positions, path: KeyPath, reason: string): IgnoredKey {
  return { key: dottedKey(path), ...nearestPosition(positions, path), reason };
}

function refusal(
  file: string,
  place: { line: number; column: number } | null,
  path: KeyPath | null,
  problem: string,
): MurmurError {
  const where = place === null ? '' : `line ${place.line}, column ${place.column}: `;
  const key = path === null || path.length === 0 ? '' : `${dottedKey(path)} `;
  const reason = `${where}${key}${problem}`;
  return new MurmurError({
    variant: null,
    code: 'E-IO-003',
    operation: 'read the configuration',
    path: file,
    reason,
  });
}
