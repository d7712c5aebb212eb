import {
  booleanMember,
  isJsonObject,
  type JsonObject,
  type LaunchRequest,
  readDriverConfig,
  stringMember,
} from '@murmur/driver-sdk';
import { tomlKey, tomlValue } from './toml.js';

const SANDBOX_MODES = ['read-only', 'workspace-write', 'danger-full-access'] as const;
const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;
const REASONING_SUMMARIES = ['auto', 'concise', 'detailed', 'none'] as const;

const KNOWN_KEYS = [
  'config_dir',
  'profile',
  'ignore_user_config',
  'built_in_tools',
  'sandbox_mode',
  'reasoning_effort',
  'reasoning_summary',
  'overrides',
] as const;

/** What a manifest may set under `inference.driver.config`, read and checked. */
export interface CodexConfig {
  /** Absolute path Codex uses instead of `~/.codex`. */
  readonly configDir: string | undefined;
  readonly profile: string | undefined;
  readonly ignoreUserConfig: boolean;
  readonly builtInTools: boolean;
  readonly sandboxMode: string;
  readonly reasoningEffort: string | undefined;
  readonly reasoningSummary: string | undefined;
  /** `key=value` for `-c`, the value as TOML. */
  readonly overrides: readonly string[];
}

/** @throws Error naming the key that is unknown or has no usable value; the launch is refused with it. */
export function readCodexConfig(request: LaunchRequest): CodexConfig {
  const config = readDriverConfig(request, KNOWN_KEYS);
  return {
    configDir: textKey(config, 'config_dir', /^\//, 'an absolute path'),
    profile: textKey(config, 'profile', /^[A-Za-z0-9_][A-Za-z0-9_-]*$/, 'a profile name'),
    ignoreUserConfig: flagKey(config, 'ignore_user_config'),
    builtInTools: flagKey(config, 'built_in_tools'),
    sandboxMode: choiceKey(config, 'sandbox_mode', SANDBOX_MODES) ?? 'read-only',
    reasoningEffort: choiceKey(config, 'reasoning_effort', REASONING_EFFORTS),
    reasoningSummary: choiceKey(config, 'reasoning_summary', REASONING_SUMMARIES),
    overrides: readOverrides(config),
  };
}

type Key = (typeof KNOWN_KEYS)[number];

function textKey(config: JsonObject, key: Key, pattern: RegExp, wanted: string): string | undefined {
  const value = stringMember(config, key);
  if (value !== undefined && pattern.test(value) && !value.includes('\0')) return value;
  return absentOrRefused(config, key, wanted);
}

function flagKey(config: JsonObject, key: Key): boolean {
  return booleanMember(config, key) ?? absentOrRefused(config, key, 'true or false') ?? false;
}

function choiceKey(config: JsonObject, key: Key, choices: readonly string[]): string | undefined {
  const value = stringMember(config, key);
  return value !== undefined && choices.includes(value)
    ? value
    : absentOrRefused(config, key, `one of ${choices.join(', ')}`);
}

function readOverrides(config: JsonObject): readonly string[] {
  const overrides = Object.hasOwn(config, 'overrides') ? config.overrides : {};
  if (!isJsonObject(overrides))
    throw unusable('overrides', 'a mapping of Codex configuration keys to values');
  return Object.entries(overrides).map(([key, value]) => {
    if (!/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/.test(key))
      throw unusable(`overrides.${key}`, 'a dotted key of letters, digits, _ and -');
    const text = tomlValue(value);
    if (text === undefined)
      throw unusable(`overrides.${key}`, 'text, a number, true, false, a list or a mapping');
    return `${key}=${text}`;
  });
}

function absentOrRefused(config: JsonObject, key: Key, wanted: string): undefined {
  if (Object.hasOwn(config, key)) throw unusable(key, wanted);
  return undefined;
}

function unusable(key: string, wanted: string): Error {
  return new Error(`inference.driver.config.${key} must be ${wanted}`);
}

/** `-c` argument pair for a key of Codex's configuration. */
export function override(
  key: readonly string[],
  value: string | number | boolean,
): readonly [string, string] {
  return ['-c', `${key.map(tomlKey).join('.')}=${tomlValue(value)}`];
}
