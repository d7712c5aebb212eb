import type { StrippedEnvAllowEntry } from '@murmur/errors';
import { matchesPattern } from './name-pattern.js';

/**
 * Variables that usually hold a credential. They are removed from every environment that the runtime
 * builds, and no manifest can opt out. Patterns: `*` any run of characters.
 */
export const credentialBackstop: readonly string[] = Object.freeze([
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'GOOGLE_API_KEY',
  'HUGGING_FACE_HUB_TOKEN',
  'NEXUS_API_KEY',
  'GITHUB_TOKEN',
  'GH_TOKEN',
  'KUBECONFIG',
  'NPM_TOKEN',
  'PYPI_TOKEN',
  'CARGO_REGISTRY_TOKEN',
  'AWS_*',
  'DOCKER_*',
  '*_API_KEY',
]);

/**
 * Variables by which the runtime speaks to itself: handles, tokens and lifelines of a parent, an
 * artifact's own configuration. A host value of one is never handed on, whatever a manifest lists; what
 * a guest should have of them the runtime sets itself.
 */
export const runtimeVariables: readonly string[] = Object.freeze(['MURMUR_*']);

/** What an environment is built from. */
export interface EnvironmentGrant {
  /** Exact names, without doubles, in declaration order. */
  readonly allow: readonly string[];
  /** Patterns of `capabilities.shell.strip_env`. */
  readonly strip: readonly string[];
}

/** Which pattern takes a variable away, the backstop's before the manifest's; null when none does. */
export function strippedBy(name: string, strip: readonly string[]): StrippedEnvAllowEntry | null {
  const builtIn = credentialBackstop.find((pattern) => matchesPattern(name, pattern));
  if (builtIn !== undefined) return { name, pattern: builtIn, source: 'credential backstop' };
  const declared = strip.find((pattern) => matchesPattern(name, pattern));
  if (declared === undefined) return null;
  return { name, pattern: declared, source: 'capabilities.shell.strip_env' };
}

/**
 * The environment that guests, harness and commands start from: the host's values of the allowed
 * names. A name that is not set stays absent. The patterns are applied here once more although such
 * names were refused before, so that a mistake there cannot hand out a credential. Implements
 * docs/spec/policy.md, "Environment".
 */
export function buildEnvironment(
  grants: { readonly env: EnvironmentGrant },
  hostEnv: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const built: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const name of grants.env.allow) {
    if (!Object.hasOwn(hostEnv, name)) continue;
    const value = hostEnv[name];
    if (value === undefined || strippedBy(name, grants.env.strip) !== null) continue;
    if (runtimeVariables.some((pattern) => matchesPattern(name, pattern))) continue;
    built[name] = value;
  }
  return Object.freeze(built);
}

const CREDENTIAL_WORDS = ['api_key', 'token', 'secret', 'password'];
const CREDENTIAL_SEGMENTS = new Set([
  'KEY',
  'KEYS',
  'PASS',
  'PASSWD',
  'PASSPHRASE',
  'CREDENTIAL',
  'CREDENTIALS',
  'CREDS',
  'DSN',
  'AUTH',
  'PAT',
  'COOKIE',
]);

/** Whether a name is shaped like one that holds a credential, in any letter case. */
export function looksLikeCredential(name: string): boolean {
  const lower = name.toLowerCase();
  return (
    CREDENTIAL_WORDS.some((word) => lower.includes(word)) ||
    name
      .toUpperCase()
      .split('_')
      .some((segment) => CREDENTIAL_SEGMENTS.has(segment))
  );
}
