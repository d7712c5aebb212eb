import {
  parseArtifactManifest,
  parseCapsuleManifest,
  parseConfig,
  parseEnvFile,
  parseLock,
} from '@murmur/manifest';
import { resolveGrants } from '@murmur/policy';
import {
  createRandom,
  formatReport,
  generators,
  isClean,
  memoryGrowth,
  repositoryRoot,
  runGenerator,
} from '@murmur-tools/hostile';
import { describe, expect, test } from 'vitest';
import { artifactManifests, configs, envFiles, locks, manifests } from '../src/generators/document-seeds.js';

const root = repositoryRoot();

/** Enough for a few seconds each; the full counts are a command of their own. */
const sliceOf = (share: number): number => (share === 1 ? 120 : 3);

describe('a slice of hostile input ends in codes, notes or success', () => {
  test.each(generators.map((generator) => [generator.name, generator] as const))(
    '%s',
    async (_name, generator) => {
      const cases = sliceOf(generator.share);
      const report = await runGenerator(generator, { seed: 'slice', from: 0, until: cases, root });
      expect(isClean(report), formatReport(report)).toBe(true);
      expect(report.cases).toBe(cases);
      // One outcome only would mean that the input is refused at the door and proves nothing behind it.
      if (cases > 100) expect(Object.keys(report.outcomes).length, formatReport(report)).toBeGreaterThan(1);
    },
  );
});

describe('what mutations start from is valid', () => {
  test('every document is taken as it is', () => {
    for (const document of manifests) {
      const { manifest } = parseCapsuleManifest(JSON.stringify(document), { file: 'murmur.yaml' });
      const probe = { achievable: 'sealed', enforcementTier: 'test', shortfall: null } as const;
      const flags = { containment: null, context: null };
      resolveGrants({
        manifest,
        manifestFile: 'murmur.yaml',
        hostEnv: {},
        home: '/home/person',
        probe,
        flags,
      });
    }
    for (const document of artifactManifests) parseArtifactManifest(JSON.stringify(document), { file: 'm' });
    for (const document of configs) parseConfig(JSON.stringify(document), { file: 'c', layer: 'global' });
    for (const document of locks) parseLock(JSON.stringify(document), { file: 'l' });
    for (const document of envFiles) parseEnvFile(String(document), { file: '.env' });
  });
});

describe('a run', () => {
  test('makes the same choices from the same seed, and others from another', () => {
    const choices = (seed: string): readonly number[] => {
      const random = createRandom(seed);
      return Array.from({ length: 50 }, () => random.int(1000));
    };
    expect(choices('a')).toEqual(choices('a'));
    expect(choices('a')).not.toEqual(choices('b'));
  });

  test('repeats a single case exactly', async () => {
    const [generator] = generators;
    if (generator === undefined) throw new Error('there is no generator');
    const range = { seed: 'again', from: 41, until: 42, root };
    const [one, other] = [await runGenerator(generator, range), await runGenerator(generator, range)];
    expect(one.outcomes).toEqual(other.outcomes);
  });

  test('tells growing memory from a heap that steps', () => {
    const marks = (...mib: number[]) => mib.map((residentMib, at) => ({ caseNumber: at, residentMib }));
    expect(memoryGrowth(marks(100, 120, 130, 140))).toBeNull();
    expect(memoryGrowth(marks(100, 200, 300, 400))).toMatch(/100 MiB .* 400 MiB/);
    expect(memoryGrowth([])).toBeNull();
  });
});
