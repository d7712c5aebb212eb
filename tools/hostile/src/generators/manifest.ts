import { parseArtifactManifest, parseCapsuleManifest, parseConfig, parseEnvFile } from '@murmur/manifest';
import { resolveGrants } from '@murmur/policy';
import { Fault, refusalCode } from '../outcome.js';
import { artifactManifests, configs, envFiles, manifests } from './document-seeds.js';
import { documentGenerator } from './documents.js';

const file = 'murmur.yaml';

/** Capsule manifests into the reader, and what parses into the decision about grants. */
export const manifestGenerator = documentGenerator({
  name: 'manifest',
  title: 'capsule manifests: structure and YAML, then the grants of those that are read',
  documents: manifests,
  read(input, random) {
    const { manifest } = parseCapsuleManifest(input, { file, servedVersion: '0.1.0' });
    const achievable = random.pick(['advisory', 'scoped', 'sealed'] as const);
    try {
      const { grants } = resolveGrants({
        manifest,
        manifestFile: file,
        hostEnv: {},
        home: '/home/person',
        probe: { achievable, enforcementTier: 'test', shortfall: achievable === 'sealed' ? null : 'a test' },
        flags: { containment: null, context: random.pick([null, 'ctx', '', '../x']) },
      });
      if (!Object.isFrozen(grants)) throw new Fault('grants that can be changed');
      return 'granted';
    } catch (error) {
      return `read, then ${refusalCode(error)}`;
    }
  },
});

/** Artifacts' own manifests. */
export const artifactManifestGenerator = documentGenerator({
  name: 'artifact-manifest',
  title: "artifacts' own manifests",
  documents: [...artifactManifests, ...manifests],
  read(input) {
    parseArtifactManifest(input, { file });
    return 'read';
  },
});

/** Configuration files of both layers. */
export const configGenerator = documentGenerator({
  name: 'config',
  title: 'configuration files, global and of a project',
  documents: configs,
  read(input, random) {
    const layer = random.pick(['global', 'project'] as const);
    const { config } = parseConfig(input, { file: 'config.yaml', layer });
    if (layer === 'project' && Object.keys(config.credentials).length > 0)
      throw new Fault("credentials were taken from a project's file");
    return `read (${layer})`;
  },
});

/** Files of variables. */
export const envGenerator = documentGenerator({
  name: 'env',
  title: '.env files',
  documents: envFiles,
  read(input) {
    parseEnvFile(input, { file: '.env' });
    return 'read';
  },
});
