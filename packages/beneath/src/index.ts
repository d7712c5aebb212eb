export { openBeneath } from './open-beneath.js';
export { sweepTemporary } from './sweep-temporary.js';
export type {
  Beneath,
  BeneathEntry,
  BeneathKind,
  RelativePath,
  WalkedEntry,
  WriteOptions,
} from './types.js';
