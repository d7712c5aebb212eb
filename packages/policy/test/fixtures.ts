import { isMurmurError } from '@murmur/errors';
import { type CapsuleManifest, parseCapsuleManifest } from '@murmur/manifest';
import type { ResolveGrantsOptions } from '../src/resolve-grants.js';

/** A manifest read from YAML, with name and version added. */
export function manifest(body = ''): CapsuleManifest {
  return parseCapsuleManifest(`name: capsule\nversion: 1.0.0\n${body}`, { file: 'murmur.yaml' }).manifest;
}

/** Options of a plain launch of a manifest on a host that backs `sealed`. */
export function launch(body: string, overrides: Partial<ResolveGrantsOptions> = {}): ResolveGrantsOptions {
  return {
    manifest: manifest(body),
    manifestFile: 'murmur.yaml',
    hostEnv: {},
    home: '/home/person',
    probe: { achievable: 'sealed', enforcementTier: 'landlock+seccomp', shortfall: null },
    flags: { containment: null, context: null },
    ...overrides,
  };
}

/** The condition that a call refuses with; fails when it does not refuse, or not with a catalogued failure. */
export async function refusal(act: () => unknown): Promise<Readonly<Record<string, unknown>>> {
  try {
    await act();
  } catch (error) {
    if (isMurmurError(error)) return { ...error.condition, code: error.code };
    throw error;
  }
  throw new Error('nothing was refused');
}
