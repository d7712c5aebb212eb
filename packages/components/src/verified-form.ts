import type { CompiledFiles } from './cache/compiled-cache.js';

/** The compiled form that was read and compared last, kept for the start that follows its check. */
export interface VerifiedForm {
  keep(key: string, files: CompiledFiles): void;
  /** The files of a key, once; null when they are not those kept. */
  take(key: string): CompiledFiles | null;
}

/** One form only, and only once: a form takes megabytes, and most components are started once. */
export function verifiedForm(): VerifiedForm {
  let kept: { readonly key: string; readonly files: CompiledFiles } | null = null;
  return {
    keep(key, files) {
      kept = { key, files };
    },
    take(key) {
      if (kept === null || kept.key !== key) return null;
      const { files } = kept;
      kept = null;
      return files;
    },
  };
}
