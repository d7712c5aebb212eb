import path from 'node:path';
import { packArtifact } from '@murmur/artifacts';
import { renderWarning } from '@murmur/errors';
import type { Host } from '../host.js';

/** `mur build`: packs a directory's artifact. */
export async function buildCommand(source: string, flags: { output?: string }, host: Host): Promise<number> {
  const packed = await packArtifact({
    directory: path.resolve(host.cwd, source),
    env: host.env,
    ...(flags.output === undefined ? {} : { output: path.resolve(host.cwd, flags.output) }),
  });
  for (const warning of packed.warnings) process.stderr.write(`${renderWarning(warning)}\n`);
  process.stdout.write(`Built artifact: ${packed.file}\n`);
  return 0;
}
