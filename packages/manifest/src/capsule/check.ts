import type { KeyPath } from '../key-path.js';
import { keyRefusal, type SourceText, valueAt } from '../refuse.js';
import type { CapsuleManifest } from '../types.js';

/** What a check of one part against others works with. */
export interface CheckInput {
  readonly manifest: CapsuleManifest;
  readonly source: SourceText;
  /** Refuses with `E-MAN-003`. */
  readonly refuse: (path: KeyPath, problem: string, remedy?: string) => never;
  /** Whether the text holds a key, whatever its value. */
  readonly writes: (path: KeyPath) => boolean;
}

/** Prepares the checks of a manifest. */
export function checkInput(manifest: CapsuleManifest, source: SourceText): CheckInput {
  return {
    manifest,
    source,
    refuse: (path, problem, remedy) => {
      throw keyRefusal(source, path, problem, remedy ?? null);
    },
    writes: (path) => valueAt(source.document, path) !== undefined,
  };
}
