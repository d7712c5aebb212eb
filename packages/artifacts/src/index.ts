export { maxArchiveEntries, type ReadArchiveOptions, readArchive } from './archive/read-archive.js';
export { decompressionLimitBytes, decompressionLimitVariable } from './decompression-limit.js';
export { type PayloadKind, type PayloadSelection, selectPayload } from './select-payload.js';
export type { ArtifactMeta, ReadInterfaces, WitContracts } from './store/meta.js';
export { openGlobalStore, openProjectStore, openStore } from './store/open-store.js';
export type { ArtifactStore, Installation, ResolvedArtifact, StoredArtifact } from './store/store.js';
