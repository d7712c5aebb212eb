export { maxArchiveEntries, type ReadArchiveOptions, readArchive } from './archive/read-archive.js';
export { decompressionLimitBytes, decompressionLimitVariable } from './decompression-limit.js';
export {
  type DeclaredInstallation,
  type InstallDeclaredOptions,
  installDeclared,
  type PinnedArtifact,
} from './install/install-declared.js';
export { type InstalledArtifact, type InstallLocalOptions, installLocal } from './install/install-local.js';
export { operatorPin } from './install/pin.js';
export type { InstallProject } from './install/project.js';
export { type AdoptedPin, createLock, type LockWrite, readLock, writeLock } from './lock/project-lock.js';
export {
  type OpenArtifactOptions,
  type OpenedArtifact,
  openArtifact,
  openUnnamedArtifact,
} from './open-artifact.js';
export { type PackedArtifact, type PackOptions, packArtifact } from './pack/pack-artifact.js';
export { type LockedArtifact, type ResolveLockedOptions, resolveLocked } from './resolve/resolve-locked.js';
export { type PayloadKind, type PayloadSelection, selectPayload } from './select-payload.js';
export type { ArtifactMeta, ReadInterfaces, WitContracts } from './store/meta.js';
export { openGlobalStore, openProjectStore, openStore } from './store/open-store.js';
export type { ArtifactStore, Installation, ResolvedArtifact, StoredArtifact } from './store/store.js';
