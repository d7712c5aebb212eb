import { maxArtifactDecompressedBytes } from '@murmur/manifest';
import { expect, test } from 'vitest';
import { decompressionLimitBytes } from './decompression-limit.js';

test.each<[string | undefined, number]>([
  [undefined, maxArtifactDecompressedBytes],
  ['', maxArtifactDecompressedBytes],
  ['0', 0],
  ['1024', 1024],
  ['-1', maxArtifactDecompressedBytes],
  ['1e3', maxArtifactDecompressedBytes],
  ['10 ', maxArtifactDecompressedBytes],
  ['99999999999999999999', maxArtifactDecompressedBytes],
])('the variable %j means %i bytes', (value, expected) => {
  expect(decompressionLimitBytes({ MURMUR_MAX_ARTIFACT_DECOMPRESSED_BYTES: value })).toBe(expected);
});
