import {
  isJsonObject,
  type JsonObject,
  type LaunchRequest,
  readConfigKeys,
  unusableConfigKey,
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
  const keys = readConfigKeys(request, KNOWN_KEYS);
  return {
    configDir: keys.text('config_dir', /^\//, 'an absolute path'),
    profile: keys.text('profile', /^[A-Za-z0-9_][A-Za-z0-9_-]*$/, 'a profile name'),
    ignoreUserConfig: keys.flag('ignore_user_config') ?? false,
    builtInTools: keys.flag('built_in_tools') ?? false,
    sandboxMode: keys.choice('sandbox_mode', SANDBOX_MODES) ?? 'read-only',
    reasoningEffort: keys.choice('reasoning_effort', REASONING_EFFORTS),
    reasoningSummary: keys.choice('reasoning_summary', REASONING_SUMMARIES),
    overrides: readOverrides(keys.mapping),
  };
}

function readOverrides(config: JsonObject): readonly string[] {
  const overrides = Object.hasOwn(config, 'overrides') ? config.overrides : {};
  if (!isJsonObject(overrides))
    throw unusableConfigKey('overrides', 'a mapping of Codex configuration keys to values');
  return Object.entries(overrides).map(([key, value]) => {
    if (!/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/.test(key))
      throw unusableConfigKey(`overrides.${key}`, 'a dotted key of letters, digits, _ and -');
    const text = tomlValue(value);
    if (text === undefined)
      throw unusableConfigKey(`overrides.${key}`, 'text, a number, true, false, a list or a mapping');
    return `${key}=${text}`;
  });
}

/** `-c` argument pair for a key of Codex's configuration. */
export function override(
  key: readonly string[],
  value: string | number | boolean,
): readonly [string, string] {
  return ['-c', `${key.map(tomlKey).join('.')}=${tomlValue(value)}`];
}
