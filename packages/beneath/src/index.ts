export { type OpenOptions, openBeneath } from './open-beneath.js';
export { type NamedFileOptions, readNamedFile, readNamedFileIfThere } from './read-named-file.js';
export { sweepTemporary } from './sweep-temporary.js';
export type {
  Beneath,
  BeneathEntry,
  BeneathKind,
  RelativePath,
  WalkedEntry,
  WriteOptions,
} from './types.js';
