import { type LaunchRequest, readConfigKeys } from '@murmur/driver-sdk';

const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;

const KNOWN_KEYS = [
  'config_dir',
  'base_url',
  'built_in_tools',
  'effort',
  'max_retries',
  'max_turns',
  'non_streaming_fallback',
  'user_settings',
] as const;

/** What a manifest may set under `inference.driver.config`, read and checked. */
export interface ClaudeCodeConfig {
  /** Absolute path Claude Code uses instead of `~/.claude`. */
  readonly configDir: string | undefined;
  /** Where requests go instead of the provider. */
  readonly baseUrl: string | undefined;
  /** Names of Claude Code's own tools that it may use. */
  readonly builtInTools: readonly string[];
  readonly effort: string | undefined;
  readonly maxRetries: number | undefined;
  readonly maxTurns: number | undefined;
  readonly nonStreamingFallback: boolean;
  readonly userSettings: boolean;
}

/** @throws Error naming the key that is unknown or has no usable value; the launch is refused with it. */
export function readClaudeCodeConfig(request: LaunchRequest): ClaudeCodeConfig {
  const keys = readConfigKeys(request, KNOWN_KEYS);
  return {
    configDir: keys.text('config_dir', /^\//, 'an absolute path'),
    baseUrl: keys.text('base_url', /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/, 'an http or https URL'),
    builtInTools: keys.texts('built_in_tools', /^[A-Z][A-Za-z0-9]*$/, 'a list of tool names') ?? [],
    effort: keys.choice('effort', EFFORTS),
    maxRetries: keys.count('max_retries', 0, 100),
    maxTurns: keys.count('max_turns', 1, 1_000_000),
    nonStreamingFallback: keys.flag('non_streaming_fallback') ?? true,
    userSettings: keys.flag('user_settings') ?? false,
  };
}
