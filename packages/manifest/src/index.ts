export {
  type ArtifactName,
  artifactNameProblem,
  bareNameProblem,
  parseArtifactName,
  reservedToolNames,
  reservedVersions,
} from './artifact-name.js';
export {
  type CapsuleManifestOptions,
  type CapsuleManifestReading,
  parseCapsuleManifest,
} from './capsule/parse.js';
export {
  builtInSource,
  manifestDefaults,
  maxArtifactConfigBytes,
  maxArtifactDecompressedBytes,
  yamlCeilings,
} from './defaults.js';
export { type IdPrefix, idTimeMs, isId, isUuidv7, mintId, type RandomBytes, uuidv7 } from './ids.js';
export { isPathSegment, isWorkdirSubpath, workdirSubpath } from './paths.js';
export { isPlatformTag, type PlatformTag, platformTag } from './platform.js';
export { expandReference, isReferenceName, referenceName } from './reference.js';
export { type KeyState, type KeyStateName, keyStates } from './served.js';
export type {
  ArtifactCapabilities,
  ArtifactEntry,
  ArtifactRole,
  CapsuleCapabilities,
  CapsuleManifest,
  CompactionSettings,
  ComponentLimits,
  ContainmentFloor,
  ContextSettings,
  ControlSettings,
  DoorScope,
  DoorSettings,
  DriverChoice,
  ExportSettings,
  GatewaySettings,
  HarnessPath,
  InferenceSettings,
  InstallCapability,
  JsonObject,
  JsonValue,
  KeyPosition,
  KeyUse,
  LifecycleSettings,
  ObservabilitySettings,
  Position,
  Positions,
  ProcessResources,
  Scorer,
  ShellCapability,
  TraceSettings,
} from './types.js';
export { parseDurationSeconds, parseSizeBytes } from './units.js';
