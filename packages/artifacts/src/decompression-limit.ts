import { maxArtifactDecompressedBytes } from '@murmur/manifest';

/** The variable that changes how much an archive may unpack to. */
export const decompressionLimitVariable = 'MURMUR_MAX_ARTIFACT_DECOMPRESSED_BYTES';

/**
 * How many bytes an archive may unpack to: the variable when it holds an unsigned integer, else the default
 * (500 MB). `env` is the caller's environment.
 */
export function decompressionLimitBytes(env: Readonly<Record<string, string | undefined>>): number {
  const text = env[decompressionLimitVariable] ?? '';
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : maxArtifactDecompressedBytes;
}
