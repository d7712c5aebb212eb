export { type ArtifactManifest, type PackagingType, parseArtifactManifest } from './artifact-manifest.js';
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
export { builtInConfig, mergeConfig, strongestFloor } from './config/merge.js';
export { parseConfig } from './config/parse.js';
export type {
  ArtifactSource,
  Config,
  ConfigLayerName,
  ConfigReading,
  HostPath,
  IgnoredKey,
} from './config/types.js';
export {
  builtInSource,
  manifestDefaults,
  maxArtifactConfigBytes,
  maxArtifactDecompressedBytes,
  yamlCeilings,
} from './defaults.js';
export { parseEnvFile } from './env-file.js';
export { type IdPrefix, idTimeMs, isId, isUuidv7, mintId, type RandomBytes, uuidv7 } from './ids.js';
export { configKeyTable, type KeyRow, manifestKeyTable } from './key-table.js';
export {
  type ConversationLayout,
  type HomeLayout,
  layout,
  PRIVATE_DIRECTORY_MODE,
  PRIVATE_FILE_MODE,
  type ProjectLayout,
  projectArtifacts,
  projectLayout,
  type RecordsLayout,
  type SessionLayout,
} from './layout.js';
export { formatLock } from './lock/format.js';
export { parseLock } from './lock/parse.js';
export type { Lock, LockEntry, LockedDigests } from './lock/types.js';
export {
  digestConflict,
  emptyLock,
  lockEntry,
  type Pin,
  type PinnedDigest,
  removeFromLock,
  upsertLock,
} from './lock/update.js';
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
export { parseUpstreamAuth, type UpstreamAuth } from './upstream-auth.js';
